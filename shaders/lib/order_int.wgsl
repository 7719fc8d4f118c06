// The order of signed integers of up to 32 bits, each in the low bits of a word. They are shifted so that the element's sign is that of the
// word.
fn is_below(a: Element, b: Element) -> bool {
    let shift = countLeadingZeros(ELEMENT_MASK);
    return i32(a << shift) < i32(b << shift);
}
