// Activations of integers. `combine` is the product, wrapped to the element's bits.
#import width
#import combine
#ifdef INT64
#import wide

fn is_negative(x: Element) -> bool {
    return (x.y & 0x80000000u) != 0u;
}

fn negated(x: Element) -> Element {
    return wide_subtract(vec2<u32>(), x);
}
#else
fn is_negative(x: Element) -> bool {
    return (x & (ELEMENT_MASK ^ (ELEMENT_MASK >> 1u))) != 0u;
}

fn negated(x: Element) -> Element {
    return (0u - x) & ELEMENT_MASK;
}
#endif

// |x|, wrapped: the smallest integer is its own magnitude.
fn act_abs(x: Element) -> Element {
    return select(x, negated(x), is_negative(x));
}

fn act_square(x: Element) -> Element {
    return combine(x, x);
}
