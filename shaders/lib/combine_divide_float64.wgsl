fn combine(before: Element, update: Element) -> Element {
    return strict_double_divide(before, update);
}
