// One after the other, until nothing changes any more, or two values take turns.
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
