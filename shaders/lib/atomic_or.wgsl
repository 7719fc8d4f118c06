// Truth values are 0 or 1, four to a word.
fn apply(i: u32, update: Element) {
    if (update != 0u) {
        atomicOr(&atomic_dst[i >> 2u], 1u << ((i & 3u) * 8u));
    }
}
