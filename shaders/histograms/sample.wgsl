// Samples as keys: unsigned integers in the order of the numbers. Elements are at the top of a word, with zeros below, or have two words.
// For passes with a parameter `flip`: the top bit if samples are signed integers, else 0.
#import frame

#ifdef FROM_64
#import wide

alias Key = vec2<u32>;

fn key_less(a: Key, b: Key) -> bool {
    return wide_less(a, b);
}

// Element `i` of the samples, a float64.
fn element(i: u32) -> Key {
    return vec2<u32>(src[2u * i], src[2u * i + 1u]);
}

// The key of an element. -0 is below +0. NaN is above +∞ or, with its sign bit set, below -∞.
fn key_of(bits: Key) -> Key {
    return select(vec2<u32>(bits.x, bits.y | 0x80000000u), ~bits, (bits.y & 0x80000000u) != 0u);
}

// The element with this key.
fn element_of(key: Key) -> Key {
    return select(~key, vec2<u32>(key.x, key.y ^ 0x80000000u), (key.y & 0x80000000u) != 0u);
}

// The key, but that of +0 for both zeros.
fn merged(key: Key) -> Key {
    return select(key, vec2<u32>(0u, 0x80000000u), all(key == vec2<u32>(0xffffffffu, 0x7fffffffu)));
}
#else
alias Key = u32;

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

#ifdef FROM_FLOAT
fn key_of(bits: u32) -> Key {
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn element_of(key: Key) -> u32 {
    return select(~key, key ^ 0x80000000u, (key & 0x80000000u) != 0u);
}

fn merged(key: Key) -> Key {
    return key + select(0u, 1u, key == 0x7fffffffu);
}
#else
fn key_of(bits: u32) -> Key {
    return bits ^ params.flip;
}

fn element_of(key: Key) -> u32 {
    return key ^ params.flip;
}

fn merged(key: Key) -> Key {
    return key;
}
#endif
#endif
