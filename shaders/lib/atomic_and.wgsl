// The logical AND of element i of the table and an update. Truth values are bytes of 0 or 1, four to a word, so only a false update
// changes anything: it clears the lowest bit of its byte.
fn apply(i: u32, update: Element) {
    if (update == 0u) {
        atomicAnd(&atomic_dst[i >> 2u], ~(1u << ((i & 3u) * 8u)));
    }
}
