// The quotient of unsigned integers of up to 32 bits, cut towards zero. `update` is not 0: divisors were checked before.
fn combine(before: Element, update: Element) -> Element {
    return before / update;
}
