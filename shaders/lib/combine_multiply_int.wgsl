// int32 and uint32: the low 32 bits of a product do not depend on the sign.
fn combine(before: Element, update: Element) -> Element {
    return before * update;
}
