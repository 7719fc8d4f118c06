// Floats of up to 32 bits by integers of the same order, in which -0 < +0. INFINITY_BITS is the dtype's, in the upper bits of a
// word; NAN_RANK is where the operation puts all NaNs.
fn rank(x: Element) -> u32 {
    let bits = x << countLeadingZeros(ELEMENT_MASK);
    if ((bits & 0x7fffffffu) > INFINITY_BITS) {
        return NAN_RANK;
    }
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn is_below(a: Element, b: Element) -> bool {
    return rank(a) < rank(b);
}
