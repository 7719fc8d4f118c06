fn is_below(a: Element, b: Element) -> bool {
    return wide_less(a ^ vec2<u32>(0u, 0x80000000u), b ^ vec2<u32>(0u, 0x80000000u));
}
