// The sum of two float32, given and returned as bits, in the adapter's arithmetic and in integers: guarded_float.wgsl chooses.
fn combine_native(before: Element, update: Element) -> Element {
    return native_add(before, update);
}

fn combine_strict(before: Element, update: Element) -> Element {
    return strict_add(before, update);
}
