// int32 and uint32: two's-complement sums do not depend on the sign.
fn combine(before: Element, update: Element) -> Element {
    return before + update;
}
