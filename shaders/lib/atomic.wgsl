// For atomics.wgsl, atomics_quads.wgsl and atomics_rows.wgsl: their parameters, and the table as words. They write to the table by
// atomic operations only. With EXACT, `atomic_dst` has exact sums instead of the table.
#import index
#import entries
#import element
#import update
#ifdef EXACT
#import exact_add
#else
#import combine
#endif

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32, // index entries
    // The threads that share the row of one entry. Each has up to four of its elements in atomics.wgsl, and eight in atomics_rows.wgsl.
    // atomics_quads.wgsl ignores it: there a thread has four entries.
    span: u32,
#ifdef EXACT
    unused_0: u32,
    unused_1: u32,
    tile: Tile,
#endif
}

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;
