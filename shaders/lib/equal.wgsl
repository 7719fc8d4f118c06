#import width

// Whether two elements have the same bits.
fn is_equal(a: Element, b: Element) -> bool {
#ifdef WIDTH_8
    return a.x == b.x && a.y == b.y;
#else
    return a == b;
#endif
}
