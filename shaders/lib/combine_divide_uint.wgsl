fn combine(before: Element, update: Element) -> Element {
    return before / update;
}
