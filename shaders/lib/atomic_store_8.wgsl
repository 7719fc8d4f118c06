// Every thread stores the same value, of two words: the order does not matter.
fn apply(i: u32, update: Element) {
    atomicStore(&atomic_dst[2u * i], update.x);
    atomicStore(&atomic_dst[2u * i + 1u], update.y);
}
