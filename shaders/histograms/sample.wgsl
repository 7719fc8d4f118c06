// Samples as keys: unsigned integers in the order of the numbers. Elements are at the top of a word, with zeros below, or have two words.
// For passes with a parameter `flip`: the top bit if samples are signed integers, else 0.
#import frame

#ifdef FROM_64
#import wide

alias Key = vec2<u32>;

const TOP: Key = vec2<u32>(0u, 0x80000000u);

fn key_less(a: Key, b: Key) -> bool {
    return wide_less(a, b);
}

// Element `i` of the samples, a float64.
fn element(i: u32) -> Key {
    return vec2<u32>(src[2u * i], src[2u * i + 1u]);
}
#else
alias Key = u32;

const TOP: Key = 0x80000000u;

fn key_less(a: Key, b: Key) -> bool {
    return a < b;
}

fn element(i: u32) -> u32 {
#ifdef FROM_8
    return (src[i >> 2u] << (24u - ((i & 3u) << 3u))) & 0xff000000u;
#endif
#ifdef FROM_16
    return (src[i >> 1u] << (16u - ((i & 1u) << 4u))) & 0xffff0000u;
#endif
#ifdef FROM_32
    return src[i];
#endif
}
#endif

#ifdef FROM_FLOAT
// -0 is below +0. NaN is above +∞ or, with its sign bit set, below -∞.
fn key_of(bits: Key) -> Key {
    return select(bits | TOP, ~bits, any((bits & TOP) != Key()));
}

fn element_of(key: Key) -> Key {
    return select(~key, key ^ TOP, any((key & TOP) != Key()));
}

// The key, but that of +0 for both zeros.
fn merged(key: Key) -> Key {
    return select(key, TOP, all(key == ~TOP));
}
#else
fn key_of(bits: Key) -> Key {
    return bits ^ params.flip;
}

fn element_of(key: Key) -> Key {
    return key ^ params.flip;
}

fn merged(key: Key) -> Key {
    return key;
}
#endif
