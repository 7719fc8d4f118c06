const NAN_RANK: u32 = 0xffffffffu;

// Elements of equal rank have equal bits, except for NaNs.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(before, update)) {
        return update;
    }
    return before;
}
