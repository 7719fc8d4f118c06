fn combine(before: Element, update: Element) -> Element {
    return update;
}
