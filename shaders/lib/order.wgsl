// The order of elements. `rank(x)` is an unsigned integer with this order. An operation on floats chooses NAN_RANK, the rank of all NaNs; for
// float64 both words are NAN_RANK. Floats are ranked with -0 below +0: their bit patterns grow with the magnitude, so those of negative
// numbers are inverted, and the others move above them.
#import width
#ifdef WIDTH_8
#import wide
#endif

#ifdef INT
// An element of less than a word moves to the top of the word.
fn rank(x: Element) -> Element {
#ifdef UNSIGNED
    return x << countLeadingZeros(ELEMENT_MASK);
#else
    return (x << countLeadingZeros(ELEMENT_MASK)) ^ 0x80000000u;
#endif
}
#endif

#ifdef INT64
fn rank(x: Element) -> Element {
#ifdef UNSIGNED
    return x;
#else
    return x ^ vec2<u32>(0u, 0x80000000u);
#endif
}
#endif

#ifdef FLOAT64
fn rank(x: Element) -> Element {
    if (wide_less(vec2<u32>(0u, 0x7ff00000u), vec2<u32>(x.x, x.y & 0x7fffffffu))) {
        return vec2<u32>(NAN_RANK);
    }
    return select(x | vec2<u32>(0u, 0x80000000u), ~x, (x.y & 0x80000000u) != 0u);
}
#endif

#ifdef SHORT_FLOAT
// The bits of infinity, moved to the top of a word. A bfloat16 there is a float32.
#ifdef FLOAT16
const INFINITY_BITS: u32 = 0x7c000000u;
#else
const INFINITY_BITS: u32 = 0x7f800000u;
#endif

fn rank(x: Element) -> Element {
#ifdef NARROW
    let bits = x << countLeadingZeros(ELEMENT_MASK);
#else
    let bits = x;
#endif
    // Every bit of a negative number, the sign of another one.
    let inverted = bitcast<u32>(bitcast<i32>(bits) >> 31u) | 0x80000000u;
    return select(bits ^ inverted, NAN_RANK, (bits & 0x7fffffffu) > INFINITY_BITS);
}
#endif

fn is_below(a: Element, b: Element) -> bool {
#ifdef WIDTH_8
    return wide_less(rank(a), rank(b));
#else
    return rank(a) < rank(b);
#endif
}
