// The order of elements: `is_below`.
#import width

#ifdef INT
fn is_below(a: Element, b: Element) -> bool {
#ifdef UNSIGNED
    return a < b;
#else
    // The shift moves the element's sign to the word's.
    let shift = countLeadingZeros(ELEMENT_MASK);
    return i32(a << shift) < i32(b << shift);
#endif
}
#endif
#ifdef INT64
#import wide

fn is_below(a: Element, b: Element) -> bool {
#ifdef UNSIGNED
    return wide_less(a, b);
#else
    // With the sign bit inverted, negative numbers are below the others as unsigned integers too.
    return wide_less(a ^ vec2<u32>(0u, 0x80000000u), b ^ vec2<u32>(0u, 0x80000000u));
#endif
}
#endif

// The rank of a float is an unsigned integer. Ranks have the order of their floats, with -0 below +0. The bit patterns of floats grow
// with the magnitude, so those of negative numbers are inverted, and the others move above them. The operation chooses NAN_RANK, the
// rank of all NaNs; for float64 both words are NAN_RANK.
#ifdef FLOAT64
#import wide

fn rank(x: Element) -> vec2<u32> {
    let infinity = vec2<u32>(0u, 0x7ff00000u);
    if (wide_less(infinity, vec2<u32>(x.x, x.y & 0x7fffffffu))) {
        return vec2<u32>(NAN_RANK);
    }
    return select(x | vec2<u32>(0u, 0x80000000u), ~x, (x.y & 0x80000000u) != 0u);
}

fn is_below(a: Element, b: Element) -> bool {
    return wide_less(rank(a), rank(b));
}
#endif
#ifdef SHORT_FLOAT
// The bits of infinity, moved to the top of a word. A bfloat16 there is a float32.
#ifdef HALF
const INFINITY_BITS: u32 = 0x7c000000u;
#else
const INFINITY_BITS: u32 = 0x7f800000u;
#endif

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
#endif
