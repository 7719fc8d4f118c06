fn is_below(a: Element, b: Element) -> bool {
    return wide_less(a, b);
}
