// The order of int64, low word first: with the sign bit inverted, negative numbers are below the others as unsigned integers too.
fn is_below(a: Element, b: Element) -> bool {
    return wide_less(a ^ vec2<u32>(0u, 0x80000000u), b ^ vec2<u32>(0u, 0x80000000u));
}
