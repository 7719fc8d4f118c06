fn combine(before: Element, update: Element) -> Element {
    return native_multiply(before, update);
}
