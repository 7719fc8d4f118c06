// Adds to element i of the table, for integers of two words, the low one first. It takes two atomic operations, between which other
// threads may add. Each overflow of the low word is seen by exactly one addition, which adds the carry to the high word: when all
// threads are done both words are right, whatever the order was.
fn apply(i: u32, update: Element) {
    let before = atomicAdd(&atomic_dst[2u * i], update.x);
    let high = update.y + select(0u, 1u, before + update.x < before);
    if (high != 0u) {
        atomicAdd(&atomic_dst[2u * i + 1u], high);
    }
}
