// Replacement: the update, bit for bit, for elements of any dtype of this width.
fn combine(before: Element, update: Element) -> Element {
    return update;
}
