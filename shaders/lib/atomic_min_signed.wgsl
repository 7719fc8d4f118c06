// The smaller of element i of the table and an update, for signed integers of one word. It sees the table as signed words: the same
// binding as `atomic_dst`, which these shaders do not use.
@group(0) @binding(3) var<storage, read_write> signed_dst: array<atomic<i32>>;

fn apply(i: u32, update: Element) {
    atomicMin(&signed_dst[i], i32(update));
}
