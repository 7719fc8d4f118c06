// Every thread stores the same value, of one or two bytes: the last of them leaves it there, and no thread reads the
// element between the two steps.
fn apply(i: u32, update: Element) {
    let in_a_word = 32u / countOneBits(ELEMENT_MASK);
    let shift = (i % in_a_word) * countOneBits(ELEMENT_MASK);
    atomicAnd(&atomic_dst[i / in_a_word], ~(ELEMENT_MASK << shift));
    atomicOr(&atomic_dst[i / in_a_word], update << shift);
}
