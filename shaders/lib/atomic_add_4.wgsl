// Integers of one word.
fn apply(i: u32, update: Element) {
    atomicAdd(&atomic_dst[i], update);
}
