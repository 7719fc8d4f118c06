// NaNs rank above all numbers, so that a maximum with a NaN is NaN. Read by order_float.wgsl and order_float64.wgsl only.
const NAN_RANK: u32 = 0xffffffffu;

// The larger of two elements, by `is_below` of order_*.wgsl. Elements of equal rank have equal bits, unless both are NaN: then `before`
// stays.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(before, update)) {
        return update;
    }
    return before;
}
