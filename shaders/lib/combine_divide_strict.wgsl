fn combine(before: Element, update: Element) -> Element {
    return strict_divide(before, update);
}
