// Unsigned integers of one word.
fn apply(i: u32, update: Element) {
    atomicMax(&atomic_dst[i], update);
}
