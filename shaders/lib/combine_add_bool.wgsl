// Truth values are 0 or 1.
fn combine(before: Element, update: Element) -> Element {
    return before | update;
}
