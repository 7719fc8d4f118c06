// Integers of two words. Each overflow of a low word is seen by exactly one addition, which adds the carry to the high
// word: in the end both words are right, whatever the order was.
fn apply(i: u32, update: Element) {
    let before = atomicAdd(&atomic_dst[2u * i], update.x);
    let high = update.y + select(0u, 1u, before + update.x < before);
    if (high != 0u) {
        atomicAdd(&atomic_dst[2u * i + 1u], high);
    }
}
