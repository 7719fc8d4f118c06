fn combine_native(before: Element, update: Element) -> Element {
    return native_multiply(before, update);
}

fn combine_strict(before: Element, update: Element) -> Element {
    return strict_multiply(before, update);
}
