// `apply(place, element)` adds a term to the exact sum of a place, in any order and from many threads at once. The sums are in
// `atomic_dst`, at binding 3. A pass needs a parameter `tile`; terms for places of other tiles are skipped.
//
// No thread waits for another. The value that an atomic addition returns says whether exactly this addition made the word carry, so
// carries are never lost, whatever the order. The start-up probe tries that.
#import exact_term

// The copy of the tile that this thread adds to.
var<private> exact_copy: u32;

// Adds ± part to the word at `first`, then the carries to the words after it, before the one at `end`.
fn exact_carry(first: u32, end: u32, first_part: u32, sign: u32) {
    var part = first_part;
    for (var at = first; at < end && part != 0u; at += params.tile.places) {
        let old = atomicAdd(&atomic_dst[at], (part ^ sign) - sign);
        part = exact_carries(old, part, sign);
    }
}

// Sets flags that are not set yet. Few terms get here.
fn exact_flag(at: u32, flags: u32) {
    if ((atomicLoad(&atomic_dst[at]) & flags) != flags) {
        atomicOr(&atomic_dst[at], flags);
    }
}

fn apply(i: u32, element: Element) {
    let place = i - params.tile.first;
    if (place >= params.tile.places) {
        return;
    }
    let places = params.tile.places;
    let base = exact_copy * params.tile.record * places + place;
    let end = base + EXACT_WORDS * places;
    let term = exact_term(element);
    let at = base + term.at * places;
    // Every term adds to all its words, without a branch.
    let old = atomicAdd(&atomic_dst[at], (term.low ^ term.sign) - term.sign);
    let high = term.high + exact_carries(old, term.low, term.sign);
    var carry = exact_carries(atomicAdd(&atomic_dst[at + places], (high ^ term.sign) - term.sign), high, term.sign);
#ifdef FLOAT64
    // `high` may have been 2^32 - 1 before the carry: then it is 0, and all of it goes on.
    carry += term.top + select(0u, 1u, high < term.high);
#endif
    // A term other than -0 must set EXACT_OTHER. The first such term of a word finds 0 there, or adds 0 itself, so only those cases
    // look.
    if (old == 0u || (term.low | term.high) == 0u || carry != 0u) {
        exact_flag(end, term.flags);
        exact_carry(at + 2u * places, end, carry, term.sign);
    }
    if (params.tile.record > EXACT_WORDS + 1u) {
        exact_carry(end + places, end + 3u * places, 1u, 0u);
    }
}
