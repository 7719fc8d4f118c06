// The quotient of signed integers of up to 32 bits, each in the low bits of a word, cut towards zero. `update` is not 0: divisors were
// checked before. The smallest integer divided by -1 is itself: for 32 bits WGSL defines it so, for fewer the mask makes it so.
fn combine(before: Element, update: Element) -> Element {
    // Shifting left and back as a signed integer extends the element's sign to the whole word.
    let unused_bits = countLeadingZeros(ELEMENT_MASK);
    let dividend = i32(before << unused_bits) >> unused_bits;
    let divisor = i32(update << unused_bits) >> unused_bits;
    return u32(dividend / divisor) & ELEMENT_MASK;
}
