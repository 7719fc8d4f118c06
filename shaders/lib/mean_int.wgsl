// Integers of up to 32 bits, divided by floor. IS_SIGNED is the dtype's.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    let shift = countLeadingZeros(ELEMENT_MASK);
    let low = i32(value << shift) >> shift;
    if (IS_SIGNED && low < 0) {
        return floor_negative(vec2<u32>(u32(low), 0xffffffffu), terms).x & ELEMENT_MASK;
    }
    return wide_divide(vec2<u32>(value, 0u), terms).x;
}
