// The product of integers of up to 32 bits, each in the low bits of a word, wrapped. The low bits of a product are the same for signed
// and unsigned integers, and do not depend on higher bits.
fn combine(before: Element, update: Element) -> Element {
    return (before * update) & ELEMENT_MASK;
}
