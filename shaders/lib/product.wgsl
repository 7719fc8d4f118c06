// The product of two elements. Products of integers wrap: signed and unsigned products have the same low bits, and higher bits do not
// change them. A product of truth values (0 or 1) is their AND, which is their minimum.
#import arithmetic

fn product(a: Element, b: Element) -> Element {
#ifdef BOOL
    return a & b;
#elifdef INT
    return (a * b) & ELEMENT_MASK;
#elifdef INT64
    // The product of the two high words contributes nothing to the low 64 bits.
    let low = wide_product(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
#elifdef HALF
    return half_round(strict_multiply(half_widen(a), half_widen(b)));
#elifdef FLOAT32
    return strict_multiply(a, b);
#elifdef FLOAT64
    return strict_double_multiply(a, b);
#endif
}
