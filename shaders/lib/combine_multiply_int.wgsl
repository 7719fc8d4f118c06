// Integers of up to 32 bits: the low bits of a product do not depend on the sign, nor on higher bits.
fn combine(before: Element, update: Element) -> Element {
    return (before * update) & ELEMENT_MASK;
}
