fn combine_native(before: Element, update: Element) -> Element {
    return native_add(before, update);
}

fn combine_strict(before: Element, update: Element) -> Element {
    return strict_add(before, update);
}
