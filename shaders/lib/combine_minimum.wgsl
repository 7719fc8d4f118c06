const NAN_RANK: u32 = 0u;

// Elements of equal rank have equal bits, except for NaNs.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(update, before)) {
        return update;
    }
    return before;
}
