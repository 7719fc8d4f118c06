// Elements of a width that is known when the pass runs: 8, 16, 32 or 64 bits.

// The first word of element `i`.
fn first_word(i: u32, bits: u32) -> u32 {
    return select(i / (32u / min(bits, 32u)), 2u * i, bits == 64u);
}

// Element `i` in the top bits of 64, with zeros below, from its first word and the one behind.
fn top_bits(words: vec2<u32>, i: u32, bits: u32) -> vec2<u32> {
    if (bits == 64u) {
        return words;
    }
    let after = 32u - bits - (i % (32u / bits)) * bits;
    return vec2<u32>(0u, (words.x << after) & ~(0x7fffffffu >> (bits - 1u)));
}
