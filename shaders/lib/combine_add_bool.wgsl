// The sum of truth values, which are 0 or 1: their logical OR. It is also their maximum.
fn combine(before: Element, update: Element) -> Element {
    return before | update;
}
