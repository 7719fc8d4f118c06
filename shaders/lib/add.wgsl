// The sum of an element and an update. Sums of integers wrap, so signed and unsigned sums have the same bits. A sum of truth values (0
// or 1) is their OR, which is their maximum.

#ifdef ATOMIC
fn apply(i: u32, update: Element) {
#ifdef BOOL
    // Truth values are bytes, four to a word: a true update sets the lowest bit of its byte, a false one changes nothing.
    if (update != 0u) {
        atomicOr(&atomic_dst[i >> 2u], 1u << ((i & 3u) * 8u));
    }
#elifdef INT
    atomicAdd(&atomic_dst[i], update);
#elifdef INT64
    // Two atomic operations; other threads may add between them. Exactly one addition sees each overflow of the low word, and it adds
    // the carry to the high word. After all threads both words are right, in any order.
    let before = atomicAdd(&atomic_dst[2u * i], update.x);
    let high = update.y + select(0u, 1u, before + update.x < before);
    if (high != 0u) {
        atomicAdd(&atomic_dst[2u * i + 1u], high);
    }
#endif
}
#else
#import arithmetic

fn combine(before: Element, update: Element) -> Element {
#ifdef BOOL
    return before | update;
#elifdef INT
    return (before + update) & ELEMENT_MASK;
#elifdef INT64
    return wide_add(before, update);
#elifdef HALF
    return half_round(strict_add(half_widen(before), half_widen(update)));
#elifdef FLOAT32
    return strict_add(before, update);
#elifdef FLOAT64
    return strict_double_add(before, update);
#endif
}
#endif
