const NAN_RANK: u32 = 0u;

// What is of equal rank has equal bits, but for NaNs.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(update, before)) {
        return update;
    }
    return before;
}
