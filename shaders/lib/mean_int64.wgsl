// 64-bit integers, divided by floor. IS_SIGNED is the dtype's.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    if (IS_SIGNED && (value.y & 0x80000000u) != 0u) {
        return floor_negative(value, terms);
    }
    return wide_divide(value, terms).xy;
}
