// Activations of float32 that only compare and move. Each takes the bits of x and returns the bits of the result. They compute in
// integers, because an adapter may treat subnormal floats as zero, and NaN as any number. src/elementwise/kernels/activate.rs defines
// all activations.
#import strict_float

const ONE: u32 = 0x3f800000u;
const HALF: u32 = 0x3f000000u;

// Whether x > 0: bit patterns from 1 to infinity's. The subtraction wraps the bits of +0 to the largest integer. NaN and negative
// numbers are above infinity anyway.
fn is_positive(x: u32) -> bool {
    return x - 1u < INFINITY;
}

// Whether x < 0; false for -0 and NaN.
fn is_negative(x: u32) -> bool {
    return (x ^ SIGN) - 1u < INFINITY;
}

// Whether x > limit, for the bits of a limit that is not negative; false for NaN.
fn exceeds(x: u32, limit: u32) -> bool {
    return x > limit && x <= INFINITY;
}

// x limited to 0 .. high, where `high` is the bits of a positive number; NaN and -0 stay.
fn clamp_from_zero(x: u32, high: u32) -> u32 {
    if (is_negative(x)) {
        return 0u;
    }
    return select(x, high, exceeds(x, high));
}

fn act_abs(x: u32) -> u32 {
    return x & 0x7fffffffu;
}

// 0 for negative x, else x; NaN and -0 stay.
fn act_relu(x: u32) -> u32 {
    return select(x, 0u, is_negative(x));
}

// x limited to 0 .. 6.
fn act_relu6(x: u32) -> u32 {
    return clamp_from_zero(x, 0x40c00000u); // 6
}

// x limited to 0 .. 24.
fn act_brelu(x: u32) -> u32 {
    return clamp_from_zero(x, 0x41c00000u); // 24
}

// 0 for |x| <= 0.5, else x.
fn act_hard_shrink(x: u32) -> u32 {
    return select(x, 0u, (x & 0x7fffffffu) <= HALF);
}

// x + 0. It only changes -0, to +0.
fn act_scale(x: u32) -> u32 {
    return select(x, 0u, x == SIGN);
}

// -1, 0 or 1; +0 for both zeros and NaN. It selects between 0 and 1 with the sign of x, not between -1 and 0. Mesa's compilers turn a
// select between -1 and 0 into a negated conversion of the condition to a float; if the condition is false, that is -0.
fn act_sign(x: u32) -> u32 {
    return select(0u, ONE | (x & SIGN), is_positive(x & 0x7fffffffu));
}

// x above 1, else 0; NaN stays.
fn act_thresholded_relu(x: u32) -> u32 {
    return select(0u, x, exceeds(x, ONE) || is_nan(x));
}

// A mask of the fraction bits of x below 1, for |x| in 1 .. 2^23. The exponent field 127 means 1, and then all 23 fraction bits are
// below 1.
fn fraction_mask(x: u32) -> u32 {
    return 0x7fffffu >> (((x >> 23u) & 0xffu) - 127u);
}

// x rounded to a whole number: away from zero if `is_away`, else towards zero.
fn to_whole(x: u32, is_away: bool) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude >= 0x4b000000u) {
        return x; // from 2^23 on every float is whole; infinities and NaN stay
    }
    if (magnitude < ONE) {
        return (x & SIGN) | select(0u, ONE, is_away && magnitude != 0u);
    }
    let mask = fraction_mask(x);
    // The addition may carry out of the fraction. Then it adds 1 to the exponent field and leaves a fraction of 0: the next power of
    // two, which is right.
    return (x + select(0u, mask, is_away)) & ~mask;
}

fn act_trunc(x: u32) -> u32 {
    let is_away = false;
    return to_whole(x, is_away);
}

// Upwards is away from zero where x is not negative.
fn act_ceil(x: u32) -> u32 {
    let is_away = (x & SIGN) == 0u;
    return to_whole(x, is_away);
}

// Downwards is away from zero where x is negative.
fn act_floor(x: u32) -> u32 {
    let is_away = (x & SIGN) != 0u;
    return to_whole(x, is_away);
}

// The nearest whole number; ties go away from zero.
fn act_round(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude >= 0x4b000000u) {
        return x; // whole, as in to_whole
    }
    if (magnitude < ONE) {
        return (x & SIGN) | select(0u, ONE, magnitude >= HALF);
    }
    let mask = fraction_mask(x);
    // Adds one half, then cuts.
    return (x + ((mask + 1u) >> 1u)) & ~mask;
}
