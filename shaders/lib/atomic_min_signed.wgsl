// Signed integers of one word.
@group(0) @binding(3) var<storage, read_write> signed_dst: array<atomic<i32>>;

fn apply(i: u32, update: Element) {
    atomicMin(&signed_dst[i], i32(update));
}
