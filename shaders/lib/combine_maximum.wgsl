const NAN_RANK: u32 = 0xffffffffu;

// What is of equal rank has equal bits, but for NaNs.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(before, update)) {
        return update;
    }
    return before;
}
