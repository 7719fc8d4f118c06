// The product of an element and an update. Products of integers wrap: signed and unsigned products have the same low bits, and higher
// bits do not change them. A product of truth values (0 or 1) is their AND, which is their minimum.

#ifdef ATOMIC
#ifdef FACTORS
#import factors
#else
// Multiplies element i of the table, a truth value, by an update. Truth values are bytes, four to a word: a false update clears the lowest
// bit of its byte, a true one changes nothing.
fn apply(i: u32, update: Element) {
    if (update == 0u) {
        atomicAnd(&atomic_dst[i >> 2u], ~(1u << ((i & 3u) * 8u)));
    }
}
#endif
#else
#import arithmetic

fn combine(before: Element, update: Element) -> Element {
#ifdef BOOL
    return before & update;
#endif
#ifdef INT
    return (before * update) & ELEMENT_MASK;
#endif
#ifdef INT64
    // The product of the two high words contributes nothing to the low 64 bits.
    let product = wide_product(before.x, update.x);
    return vec2<u32>(product.x, product.y + before.x * update.y + before.y * update.x);
#endif
#ifdef HALF
    return half_round(strict_multiply(half_widen(before), half_widen(update)));
#endif
#ifdef FLOAT32
    return strict_multiply(before, update);
#endif
#ifdef FLOAT64
    return strict_double_multiply(before, update);
#endif
}
#endif
