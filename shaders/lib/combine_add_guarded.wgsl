fn combine(before: Element, update: Element) -> Element {
    let sum = native_add(before, update);
    if (is_sure(before, update, sum)) {
        return sum;
    }
    return strict_add(before, update);
}
