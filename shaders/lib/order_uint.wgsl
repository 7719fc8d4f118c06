// Unsigned integers of up to 32 bits.
fn is_below(a: Element, b: Element) -> bool {
    return a < b;
}
