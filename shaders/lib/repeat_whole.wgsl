// Integers and truth values: sums and products may be grouped at will, so the scalar's powers are made by doubling.
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
