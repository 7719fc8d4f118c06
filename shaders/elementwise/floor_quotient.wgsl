// The quotient of signed integers, rounded down, from the truncated one. That is 1 too large if it is negative and not exact: if the
// rest, which has the sign of the dividend, is not 0 and has not the sign of the divisor.
#import width

#ifdef INT
fn floor_quotient(quotient: Element, dividend: Element, divisor: Element) -> Element {
    let rest = (dividend - quotient * divisor) & ELEMENT_MASK;
    let top_bit = ELEMENT_MASK ^ (ELEMENT_MASK >> 1u);
    if (rest != 0u && ((rest ^ divisor) & top_bit) != 0u) {
        return (quotient - 1u) & ELEMENT_MASK;
    }
    return quotient;
}
#else
#import wide

fn floor_quotient(quotient: Element, dividend: Element, divisor: Element) -> Element {
    let low = wide_product(quotient.x, divisor.x);
    let product = vec2<u32>(low.x, low.y + quotient.x * divisor.y + quotient.y * divisor.x);
    let rest = wide_subtract(dividend, product);
    if ((rest.x | rest.y) != 0u && ((rest.y ^ divisor.y) & 0x80000000u) != 0u) {
        return wide_subtract(quotient, vec2<u32>(1u, 0u));
    }
    return quotient;
}
#endif
