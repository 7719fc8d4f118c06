// For atomics.wgsl, atomics_quads.wgsl and atomics_rows.wgsl: their parameters, and the table as words. They write to the table by
// atomic operations only.
#import index
#import entries
#import element
#import update
#import combine

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32, // index entries
    // The threads that share the row of one entry. Each has up to four of its elements in atomics.wgsl, and eight in atomics_rows.wgsl.
    // atomics_quads.wgsl ignores it: there a thread has four entries.
    span: u32,
}

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;
