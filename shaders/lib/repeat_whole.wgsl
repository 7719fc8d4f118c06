// For operations whose steps may be grouped in any way, on integers and truth values: by the scalar's powers of two.
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
