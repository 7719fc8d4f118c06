// The order of float64, low word first, by unsigned 64-bit integers that have the same order, as in order_float.wgsl. NAN_RANK is both
// words of the rank that the operation gives to all NaNs.
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
