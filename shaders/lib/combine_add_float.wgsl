fn combine(before: Element, update: Element) -> Element {
    return native_add(before, update);
}
