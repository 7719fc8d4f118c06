// Replaces element i of the table, which is one or two bytes of a word, in two steps: clear its bits, then set them. They leave the
// other elements of the word as they are. Every thread stores the same scalar, and each element ends with it, because the last step of
// all threads sets its bits. No thread reads the element between the two steps.
fn apply(i: u32, update: Element) {
    let element_bits = countOneBits(ELEMENT_MASK);
    let in_a_word = 32u / element_bits;
    let shift = (i % in_a_word) * element_bits;
    atomicAnd(&atomic_dst[i / in_a_word], ~(ELEMENT_MASK << shift));
    atomicOr(&atomic_dst[i / in_a_word], update << shift);
}
