fn combine(before: Element, update: Element) -> Element {
    return strict_add(before, update);
}
