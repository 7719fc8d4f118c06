// An unsigned 64-bit integer with the order of a float64, which is given as bits; both have the low word first. Bit patterns of floats
// grow with the magnitude, so those of negative numbers are inverted, and the others move above them. Both zeros give one integer. A
// NaN is above +∞ or, with its sign bit set, below -∞.

fn ordered(bits: vec2<u32>) -> vec2<u32> {
    if ((bits.x | (bits.y << 1u)) == 0u) {
        return vec2<u32>(0u, 0x80000000u); // the integer of +0
    }
    return select(vec2<u32>(bits.x, bits.y | 0x80000000u), ~bits, (bits.y & 0x80000000u) != 0u);
}
