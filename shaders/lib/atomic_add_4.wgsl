// Adds to element i of the table, for integers of one word. Sums wrap, so signed and unsigned integers are the same.
fn apply(i: u32, update: Element) {
    atomicAdd(&atomic_dst[i], update);
}
