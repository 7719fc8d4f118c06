// Signed integers of up to 32 bits: the element's sign moves to that of the word.
fn is_below(a: Element, b: Element) -> bool {
    let shift = countLeadingZeros(ELEMENT_MASK);
    return i32(a << shift) < i32(b << shift);
}
