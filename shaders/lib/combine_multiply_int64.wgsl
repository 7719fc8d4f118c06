// The product of 64-bit integers, low word first, wrapped. Its low 64 bits are the same for int64 and uint64, and the product of the
// two high words contributes nothing to them.
fn combine(before: Element, update: Element) -> Element {
    let product = wide_product(before.x, update.x);
    return vec2<u32>(product.x, product.y + before.x * update.y + before.y * update.x);
}
