// Applies the scalar step by step, until the value no longer changes or alternates between two values.
fn repeated(before: Element, count: u32) -> Element {
    var value = before;
    var left = count;
    while (left > 1u) {
        let twice = combine(combine(value, scalar()), scalar());
        if (is_equal(twice, value)) {
            break;
        }
        value = twice;
        left -= 2u;
    }
    if ((left & 1u) == 1u) {
        value = combine(value, scalar());
    }
    return value;
}
