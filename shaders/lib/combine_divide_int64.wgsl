// The quotient of int64, low word first, cut towards zero. `update` is not 0: divisors were checked before. The smallest integer divided
// by -1 is itself, as its magnitude wraps.
fn combine(before: Element, update: Element) -> Element {
    let quotient = wide_divide(wide_magnitude(before), wide_magnitude(update)).xy;
    if (((before.y ^ update.y) & 0x80000000u) != 0u) {
        return wide_subtract(vec2<u32>(0u, 0u), quotient);
    }
    return quotient;
}
