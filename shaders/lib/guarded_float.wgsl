// float32 sums and products by the adapter where guard.wgsl says that its result is right, and in integers where it does not.

// The sum or the product of two float32, given and returned as bits. A part combine_*_guarded.wgsl declares which, in both kinds of
// arithmetic.
fn combine(before: Element, update: Element) -> Element {
    var result = combine_native(before, update);
    if (!is_sure(result)) {
        result = combine_strict(before, update);
    }
    return result;
}
