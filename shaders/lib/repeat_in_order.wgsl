// Combines `before` with the scalar `count` times, step by step. It takes two steps at a time and stops as soon as two steps lead back to
// the same value: then the value no longer changes, or alternates between two values, and only an odd step is left to take.
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
