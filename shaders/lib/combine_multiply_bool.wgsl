// The product of truth values, which are 0 or 1: their logical AND. It is also their minimum.
fn combine(before: Element, update: Element) -> Element {
    return before & update;
}
