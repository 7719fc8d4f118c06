fn combine(before: Element, update: Element) -> Element {
    return strict_multiply(before, update);
}
