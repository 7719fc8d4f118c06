// The order of uint64, low word first.
fn is_below(a: Element, b: Element) -> bool {
    return wide_less(a, b);
}
