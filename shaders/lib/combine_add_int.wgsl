// The sum of integers of up to 32 bits, each in the low bits of a word, wrapped. Two's-complement sums are the same for signed and
// unsigned integers.
fn combine(before: Element, update: Element) -> Element {
    return (before + update) & ELEMENT_MASK;
}
