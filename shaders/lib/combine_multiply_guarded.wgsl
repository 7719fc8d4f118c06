fn combine(before: Element, update: Element) -> Element {
    let product = native_multiply(before, update);
    if (is_sure(before, update, product)) {
        return product;
    }
    return strict_multiply(before, update);
}
