// Every thread stores the same value, of one word: the order does not matter.
fn apply(i: u32, update: Element) {
    atomicStore(&atomic_dst[i], update);
}
