// A second time changes nothing.
fn repeated(before: Element, count: u32) -> Element {
    return combine(before, scalar());
}
