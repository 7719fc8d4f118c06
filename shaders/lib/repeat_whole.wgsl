// Combines `before` with the scalar `count` times, for operations on integers and truth values, whose steps may be grouped in any way. As
// in exponentiation by squaring, `power` is the scalar combined with itself 1, 2, 4, … times, and each bit of the count takes one of
// these.
fn repeated(before: Element, count: u32) -> Element {
    var value = before;
    var power = scalar();
    for (var left = count; left != 0u; left >>= 1u) {
        if ((left & 1u) == 1u) {
            value = combine(value, power);
        }
        power = combine(power, power);
    }
    return value;
}
