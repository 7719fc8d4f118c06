// binary64 (float64) division in integers, on bits, rounded to nearest even. Numbers are two words, the low one first.
#import strict_double
#import wide_divide

// a / b. A NaN result is DOUBLE_QUIET_NAN.
fn strict_double_divide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & DOUBLE_SIGN;
    let magnitude_a = double_magnitude(a);
    let magnitude_b = double_magnitude(b);
    let is_zero_a = (magnitude_a.x | magnitude_a.y) == 0u;
    let is_zero_b = (magnitude_b.x | magnitude_b.y) == 0u;
    let is_infinite_a = double_field(a) == 0x7ffu;
    let is_infinite_b = double_field(b) == 0x7ffu;
    if (double_is_nan(a) || double_is_nan(b) || (is_zero_a && is_zero_b) || (is_infinite_a && is_infinite_b)) {
        return vec2<u32>(0u, DOUBLE_QUIET_NAN);
    }
    if (is_infinite_a || is_zero_b) {
        return vec2<u32>(0u, sign | DOUBLE_INFINITY);
    }
    if (is_zero_a || is_infinite_b) {
        return vec2<u32>(0u, sign);
    }
    let x = double_unpack(a);
    let y = double_unpack(b);
    // Both significands have their top bit set, so the quotient is between 1/2 and 2: the first or the second of its 56 bits is set.
    // The result keeps 53 bits. The other bits and a nonzero rest decide the rounding.
    let quotient = wide_quotient(x.significand, y.significand, 56u);
    let shift = wide_leading_zeros(quotient.xy);
    let sticky = vec2<u32>(select(0u, 1u, quotient.z != 0u), 0u);
    // The quotient's unit is 2^-55, and double_round_pack's unit is 2^(-1023 - 63): 1023 + 63 - 55 = 1031.
    return double_round_pack(sign, x.exponent - y.exponent + 1031 - i32(shift), wide_shift_left(quotient.xy, shift) | sticky);
}
