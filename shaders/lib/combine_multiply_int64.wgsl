// int64 and uint64: the low 64 bits of a product do not depend on the sign. The product of the high words contributes
// nothing to them.
fn combine(before: Element, update: Element) -> Element {
    let product = wide_product(before.x, update.x);
    return vec2<u32>(product.x, product.y + before.x * update.y + before.y * update.x);
}
