// float64 by 64-bit integers of the same order: see order_float.wgsl.
fn rank(x: Element) -> vec2<u32> {
    if (wide_less(vec2<u32>(0u, 0x7ff00000u), vec2<u32>(x.x, x.y & 0x7fffffffu))) {
        return vec2<u32>(NAN_RANK);
    }
    return select(x | vec2<u32>(0u, 0x80000000u), ~x, (x.y & 0x80000000u) != 0u);
}

fn is_below(a: Element, b: Element) -> bool {
    return wide_less(rank(a), rank(b));
}
