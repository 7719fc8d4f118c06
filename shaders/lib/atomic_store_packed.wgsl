// One value for all, of a byte or two: whichever thread comes last leaves it there, and between its two steps
// nobody needs the element.
fn apply(i: u32, update: Element) {
    let in_a_word = 32u / countOneBits(ELEMENT_MASK);
    let shift = (i % in_a_word) * countOneBits(ELEMENT_MASK);
    atomicAnd(&atomic_dst[i / in_a_word], ~(ELEMENT_MASK << shift));
    atomicOr(&atomic_dst[i / in_a_word], update << shift);
}
