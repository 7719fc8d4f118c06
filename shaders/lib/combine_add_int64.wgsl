// int64 and uint64: two's-complement sums do not depend on the sign.
fn combine(before: Element, update: Element) -> Element {
    return wide_add(before, update);
}
