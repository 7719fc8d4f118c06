// Combines `before` with the scalar `count` times, at least once, for operations in which a second time changes nothing: maximum and
// minimum.
fn repeated(before: Element, count: u32) -> Element {
    return combine(before, scalar());
}
