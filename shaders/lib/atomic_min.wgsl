// Unsigned integers of one word.
fn apply(i: u32, update: Element) {
    atomicMin(&atomic_dst[i], update);
}
