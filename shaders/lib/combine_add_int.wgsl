// Integers of up to 32 bits: two's-complement sums do not depend on the sign.
fn combine(before: Element, update: Element) -> Element {
    return (before + update) & ELEMENT_MASK;
}
