// The larger of element i of the table and an update, for unsigned integers of one word.
fn apply(i: u32, update: Element) {
    atomicMax(&atomic_dst[i], update);
}
