// The difference of an element and another one. Differences of integers wrap, so signed and unsigned ones have the same bits. Those of
// floats are sums with the negated element, which is exact.
#import arithmetic

fn combine(before: Element, update: Element) -> Element {
#ifdef INT
    return (before - update) & ELEMENT_MASK;
#elifdef INT64
    return wide_subtract(before, update);
#elifdef HALF
    return half_round(strict_add(half_widen(before), half_widen(update ^ 0x8000u)));
#elifdef FLOAT32
    return strict_add(before, update ^ SIGN);
#elifdef FLOAT64
    return strict_double_add(before, update ^ vec2<u32>(0u, DOUBLE_SIGN));
#endif
}
