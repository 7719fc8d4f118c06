// marks[row] = 1 + the number of the last index entry that names the row; 0 if no entry does. With COUNT, marks[row] = how many entries
// name the row. One thread per entry, or with QUADS per four, in any order: atomicMax finds the last entry.
#import threads
#import index
#import entries
#ifdef QUADS
#import quads
#endif

@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;

fn note(row: u32, number: u32) {
#ifdef COUNT
    atomicAdd(&marks[row], 1u);
#else
    atomicMax(&marks[row], number + 1u);
#endif
}

fn run(thread: u32) {
#ifdef QUADS
    let rows = elements_named(thread, quad_of(thread));
    let first = thread * 4u;
    // The last thread may have fewer than four entries.
    let count = params.entry_count - first;
    note(rows.x, first);
    if (count > 1u) {
        note(rows.y, first + 1u);
    }
    if (count > 2u) {
        note(rows.z, first + 2u);
    }
    if (count > 3u) {
        note(rows.w, first + 3u);
    }
#else
    let start = decode(thread);
    if (!is_skipped(start.entry)) {
        note(start.table + position_of(start.entry), thread);
    }
#endif
}
