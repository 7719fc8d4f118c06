// What mark.wgsl and mark_quads.wgsl do for entry number `number`, which names a row of the table, in any order of entries. Words are
// initially zero.
@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;

fn note(row: u32, number: u32) {
#ifdef COUNT
    atomicAdd(&marks[row], 1u);
#else
    atomicMax(&marks[row], number + 1u);
#endif
}
