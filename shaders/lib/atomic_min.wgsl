// The smaller of element i of the table and an update, for unsigned integers of one word.
fn apply(i: u32, update: Element) {
    atomicMin(&atomic_dst[i], update);
}
