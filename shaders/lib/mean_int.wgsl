// The mean of integers of up to 32 bits, rounded down: a sum, in the low bits of a word, divided by `terms`, which is how many numbers
// were added up, at least 1, low word first. IS_SIGNED says whether the dtype has a sign.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    // Shifting left and back as a signed integer extends the element's sign to the whole word.
    let unused_bits = countLeadingZeros(ELEMENT_MASK);
    let signed_value = i32(value << unused_bits) >> unused_bits;
    if (IS_SIGNED && signed_value < 0) {
        return floor_negative(vec2<u32>(u32(signed_value), 0xffffffffu), terms).x & ELEMENT_MASK;
    }
    return wide_divide(vec2<u32>(value, 0u), terms).x;
}
