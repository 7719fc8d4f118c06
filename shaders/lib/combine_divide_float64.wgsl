// The quotient of two float64, given and returned as bits, low word first, in integer arithmetic.
fn combine(before: Element, update: Element) -> Element {
    return strict_double_divide(before, update);
}
