// Rounds float64 to a narrower float, in integers: with sums of float64 this would be most of a shader's code.
#import strict_double

// A float64 (low word first) rounded to a float dtype with these numbers of exponent and fraction bits, ties to even; the result is a
// float64 again. 11 exponent bits mean float64 itself.
fn rounded(bits: vec2<u32>, exponent_bits: u32, fraction_bits: u32) -> vec2<u32> {
    let field = double_field(bits);
    let bias = (1u << (exponent_bits - 1u)) - 1u; // the dtype's bias, which is also its largest exponent; float64's is 1023
    let is_infinite_or_nan = field == 0x7ffu;
    if (exponent_bits == 11u || is_infinite_or_nan) {
        return bits;
    }
    let sign = vec2<u32>(0u, bits.y & DOUBLE_SIGN);
    let magnitude = double_magnitude(bits);
    // The number of bits below the last place. Below the smallest normal number the last place stays the same.
    let below = 52u - fraction_bits + max(field, 1024u - bias) - field;
    if (below > 52u) {
        // Less than the last place: it rounds up if it is more than half of it.
        let is_more = below == 53u && (magnitude.x | (magnitude.y & DOUBLE_FRACTION)) != 0u;
        return sign | vec2<u32>(0u, select(0u, (field + 1u) << 20u, is_more));
    }
    // With 52 bits below, the last place is the significand's top bit, which is not stored.
    let is_odd = below == 52u || (wide_shift_right(magnitude, below).x & 1u) == 1u;
    let half = wide_shift_left(vec2<u32>(1u, 0u), below - 1u);
    let up = select(wide_subtract(half, vec2<u32>(1u, 0u)), half, is_odd);
    // A carry into the exponent gives the right result.
    let near = wide_shift_left(wide_shift_right(wide_add(magnitude, up), below), below);
    let is_infinite = double_field(near) > 1023u + bias;
    return select(near, vec2<u32>(0u, DOUBLE_INFINITY), is_infinite) | sign;
}
