// The sum of two float32, given and returned as bits, in the adapter's arithmetic.
fn combine(before: Element, update: Element) -> Element {
    return native_add(before, update);
}
