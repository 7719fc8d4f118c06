// The nearest number of a float dtype, as a float64: with so many bits of the exponent and of the fraction. Uses strict_double.wgsl.

fn rounded(bits: vec2<u32>, exponent_bits: u32, fraction_bits: u32) -> vec2<u32> {
    let field = double_field(bits);
    let bias = (1u << (exponent_bits - 1u)) - 1u;
    if (exponent_bits == 11u || field == 0x7ffu) {
        return bits;
    }
    let sign = bits.y & DOUBLE_SIGN;
    if (field > 1023u + bias) {
        return vec2<u32>(0u, sign | DOUBLE_INFINITY);
    }
    // Below the least normal number the last place does not become smaller.
    let last_place = max(field, 1024u - bias) - fraction_bits;
    // The sum has this last place: it is the nearest, in a tie the even one.
    let shift = vec2<u32>(0u, ((last_place + 52u) << 20u) | 0x80000u);
    let sum = strict_double_add(double_magnitude(bits), shift);
    let near = strict_double_add(sum, vec2<u32>(0u, shift.y | DOUBLE_SIGN));
    let is_infinite = double_field(near) > 1023u + bias;
    return select(near, vec2<u32>(0u, DOUBLE_INFINITY), is_infinite) | vec2<u32>(0u, sign);
}
