// Replaces element i of the table, which is two words, the low one first. Every thread stores the same scalar, so the order does not
// matter, not even between the two stores.
fn apply(i: u32, update: Element) {
    atomicStore(&atomic_dst[2u * i], update.x);
    atomicStore(&atomic_dst[2u * i + 1u], update.y);
}
