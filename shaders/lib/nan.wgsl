// The equality of elements in which every NaN equals every other. For passes with a parameter `order`.
#import equal
#import ElementOrder

// The bits without the sign, low word first.
fn magnitude(element: Element) -> vec2<u32> {
#ifdef WIDTH_8
    return element & ~params.order.sign;
#else
    return vec2<u32>(element & ~params.order.sign.x, 0u);
#endif
}

fn is_nan(magnitude: vec2<u32>) -> bool {
    let infinity = params.order.infinity;
    return magnitude.y > infinity.y || (magnitude.y == infinity.y && magnitude.x > infinity.x);
}

// Whether two elements have the same bits, or both are NaN.
fn is_same(a: Element, b: Element) -> bool {
    return is_equal(a, b) || (is_nan(magnitude(a)) && is_nan(magnitude(b)));
}
