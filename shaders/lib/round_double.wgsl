// Rounding a float64 to a narrower float dtype. Uses strict_double.wgsl.

// The number nearest to a float64 (low word first) among those of a float dtype with so many bits of the exponent and of the fraction, in
// a tie the even one; as a float64 again. 11 exponent bits mean float64 itself.
fn rounded(bits: vec2<u32>, exponent_bits: u32, fraction_bits: u32) -> vec2<u32> {
    let field = double_field(bits);
    let bias = (1u << (exponent_bits - 1u)) - 1u; // of the dtype, and its largest exponent; that of float64 is 1023
    let is_infinite_or_nan = field == 0x7ffu;
    if (exponent_bits == 11u || is_infinite_or_nan) {
        return bits;
    }
    let sign = vec2<u32>(0u, bits.y & DOUBLE_SIGN);
    let magnitude = double_magnitude(bits);
    // How many bits are below the last place. Below the least normal number that does not become smaller.
    let below = 52u - fraction_bits + max(field, 1024u - bias) - field;
    if (below > 52u) {
        // Less than the last place: it is rounded up if it is more than half of that.
        let is_more = below == 53u && (magnitude.x | (magnitude.y & DOUBLE_FRACTION)) != 0u;
        return sign | vec2<u32>(0u, select(0u, (field + 1u) << 20u, is_more));
    }
    // The exponent field of the last place that the dtype keeps. Subnormal numbers share that of the smallest normal number.
    let last_place = max(field, 1024u - bias) - fraction_bits;
    // 1.5 · 2^52 times the last place: a float64 of this size has exactly this last place. Adding it rounds the magnitude to a multiple of
    // the last place, and subtracting it again is exact.
    let shift = vec2<u32>(0u, ((last_place + 52u) << 20u) | 0x80000u);
    let sum = strict_double_add(double_magnitude(bits), shift);
    let near = strict_double_add(sum, vec2<u32>(0u, shift.y | DOUBLE_SIGN));
    // Rounding may go up to the power of two above the largest number.
    let is_infinite = double_field(near) > 1023u + bias;
    return select(near, vec2<u32>(0u, DOUBLE_INFINITY), is_infinite) | sign;
}
