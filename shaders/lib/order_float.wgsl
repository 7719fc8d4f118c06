// The order of floats of up to 32 bits, each in the low bits of a word, by unsigned integers that have the same order. INFINITY_BITS are
// the bits of the dtype's infinity, moved to the top of a word; NAN_RANK is the rank that the operation gives to all NaNs.

// Its rank: -0 is below +0. The bits of floats grow with their magnitude; so those of negative numbers are inverted, and the others are
// moved above them.
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
