// A float64, given as bits, as an unsigned 64-bit integer that has its order, both with the low word first. The bits of floats grow with
// their magnitude; so those of negative numbers are inverted, and the others are moved above them. Both zeros become one integer. A NaN is
// above +∞ or, with its sign bit set, below -∞.

fn ordered(bits: vec2<u32>) -> vec2<u32> {
    if ((bits.x | (bits.y << 1u)) == 0u) {
        return vec2<u32>(0u, 0x80000000u); // what +0 becomes
    }
    return select(vec2<u32>(bits.x, bits.y | 0x80000000u), ~bits, (bits.y & 0x80000000u) != 0u);
}
