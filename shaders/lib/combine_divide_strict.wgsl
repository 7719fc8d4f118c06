// The quotient of two float32, given and returned as bits, in integer arithmetic.
fn combine(before: Element, update: Element) -> Element {
    return strict_divide(before, update);
}
