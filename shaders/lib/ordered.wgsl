// A float64 number as an integer of 64 bits that has its order. Both zeros are one number; NaN is beyond both infinities.
fn ordered(bits: vec2<u32>) -> vec2<u32> {
    if ((bits.x | (bits.y << 1u)) == 0u) {
        return vec2<u32>(0u, 0x80000000u);
    }
    return select(vec2<u32>(bits.x, bits.y | 0x80000000u), ~bits, (bits.y & 0x80000000u) != 0u);
}
