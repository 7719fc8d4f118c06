// Replaces element i of the table, which is one word. Every thread stores the same scalar, so the order does not matter.
fn apply(i: u32, update: Element) {
    atomicStore(&atomic_dst[i], update);
}
