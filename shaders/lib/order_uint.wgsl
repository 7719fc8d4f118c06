// The order of unsigned integers of up to 32 bits, each in the low bits of a word, and of truth values.
fn is_below(a: Element, b: Element) -> bool {
    return a < b;
}
