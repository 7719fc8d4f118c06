// The mean of 64-bit integers, rounded down: a sum divided by `terms`, which is how many numbers were added up, at least 1. Both have the
// low word first. IS_SIGNED says whether the dtype has a sign.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    if (IS_SIGNED && (value.y & 0x80000000u) != 0u) {
        return floor_negative(value, terms);
    }
    return wide_divide(value, terms).xy;
}
