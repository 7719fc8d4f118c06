// Truncates toward zero. The smallest integer divided by -1 is itself: of a word as WGSL defines it, of fewer bits by the mask.
fn combine(before: Element, update: Element) -> Element {
    let shift = countLeadingZeros(ELEMENT_MASK);
    return u32((i32(before << shift) >> shift) / (i32(update << shift) >> shift)) & ELEMENT_MASK;
}
