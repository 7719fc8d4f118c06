// Keys of elements, for maxima and minima that WGSL has no atomic operation for. Keys are unsigned integers in the order in which elements win: a
// larger one wins, for a minimum too. NaN has the greatest key. 0 is the key of no float, and of the integer that never wins, so it
// stands for no update.
#import order

// Ranks as keys, and back: NAN_RANK becomes the greatest key.
fn turned(rank: Element) -> Element {
#ifdef WIDTH_8
    return rank ^ vec2<u32>(~NAN_RANK);
#else
    return rank ^ ~NAN_RANK;
#endif
}

fn key_of(x: Element) -> Element {
    return turned(rank(x));
}

// The element with a key that `key_of` has made.
fn element_of(key: Element) -> Element {
    let rank = turned(key);
#ifdef INT
#ifdef UNSIGNED
    return rank >> countLeadingZeros(ELEMENT_MASK);
#else
    return (rank ^ 0x80000000u) >> countLeadingZeros(ELEMENT_MASK);
#endif
#elifdef INT64
#ifdef UNSIGNED
    return rank;
#else
    return rank ^ vec2<u32>(0u, 0x80000000u);
#endif
#elifdef FLOAT64
    return select(~rank, rank ^ vec2<u32>(0u, 0x80000000u), (rank.y & 0x80000000u) != 0u);
#endif
#ifdef SHORT_FLOAT
    return select(~rank, rank ^ 0x80000000u, (rank & 0x80000000u) != 0u) >> countLeadingZeros(ELEMENT_MASK);
#endif
}

#ifdef KEYS
// Raises the key of element i. `atomic_dst` has the keys of all elements, of 64 bits in two words, the low one first. Their high words are
// raised first, by a pass with HIGH. After it, only updates with the greatest high word raise the low word.
fn apply(i: u32, update: Element) {
    let key = key_of(update);
#ifdef WIDTH_8
#ifdef HIGH
    atomicMax(&atomic_dst[2u * i + 1u], key.y);
#else
    if (atomicLoad(&atomic_dst[2u * i + 1u]) == key.y) {
        atomicMax(&atomic_dst[2u * i], key.x);
    }
#endif
#else
    atomicMax(&atomic_dst[i], key);
#endif
}
#endif
