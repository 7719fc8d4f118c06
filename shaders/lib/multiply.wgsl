// The product of an element and an update: product.wgsl.

#ifdef ATOMIC
// Multiplies element i of the table, a truth value, by an update. Truth values are bytes, four to a word: a false update clears the lowest
// bit of its byte, a true one changes nothing.
fn apply(i: u32, update: Element) {
    if (update == 0u) {
        atomicAnd(&atomic_dst[i >> 2u], ~(1u << ((i & 3u) * 8u)));
    }
}
#else
#import product

fn combine(before: Element, update: Element) -> Element {
    return product(before, update);
}
#endif
