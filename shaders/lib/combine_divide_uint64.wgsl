// The quotient of unsigned 64-bit integers, low word first, cut towards zero. `update` is not 0: divisors were checked before.
fn combine(before: Element, update: Element) -> Element {
    return wide_divide(before, update).xy;
}
