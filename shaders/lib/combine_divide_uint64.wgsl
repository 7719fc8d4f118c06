fn combine(before: Element, update: Element) -> Element {
    return wide_divide(before, update).xy;
}
