// The parameters of the passes that write to the table by atomic operations only, and the table as words: for atomics.wgsl,
// atomics_quads.wgsl and atomics_rows.wgsl.
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
    // Threads that share the row of one entry: each has up to four elements of it in atomics.wgsl, and eight in atomics_rows.wgsl.
    // Not read by atomics_quads.wgsl, where a thread has four entries.
    span: u32,
}

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;
