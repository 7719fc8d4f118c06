// Activations of floats that only compare and move. Each takes the bits of x and returns the bits of the result, of a float32 or a float64.
// They compute in integers, because an adapter may treat subnormal floats as zero, and NaN as any number.
// src/elementwise/kernels/activate.rs defines all activations.
#ifdef FLOAT64
#import strict_double

alias Real = vec2<u32>;

const SIGN: Real = vec2<u32>(0u, DOUBLE_SIGN);
const INFINITY: Real = vec2<u32>(0u, DOUBLE_INFINITY);
const FRACTION: Real = vec2<u32>(0xffffffffu, DOUBLE_FRACTION);
const FRACTION_BITS: u32 = 52u;
const BIAS: u32 = 1023u;
const HALF: Real = vec2<u32>(0u, 0x3fe00000u);
const ONE: Real = vec2<u32>(0u, 0x3ff00000u);
const SIX: Real = vec2<u32>(0u, 0x40180000u);
const TWENTY_FOUR: Real = vec2<u32>(0u, 0x40380000u);

fn is_nan(x: Real) -> bool {
    return double_is_nan(x);
}

fn field_of(x: Real) -> u32 {
    return double_field(x);
}

// The order and the sum of bits as unsigned integers.
fn is_less(a: Real, b: Real) -> bool {
    return wide_less(a, b);
}

fn bits_added(a: Real, b: Real) -> Real {
    return wide_add(a, b);
}

fn bits_right(x: Real, by: u32) -> Real {
    return wide_shift_right(x, by);
}
#else
#import strict_float

alias Real = u32;

const FRACTION: Real = 0x7fffffu;
const FRACTION_BITS: u32 = 23u;
const BIAS: u32 = 127u;
const HALF: Real = 0x3f000000u;
const ONE: Real = 0x3f800000u;
const SIX: Real = 0x40c00000u;
const TWENTY_FOUR: Real = 0x41c00000u;

fn field_of(x: Real) -> u32 {
    return (x >> 23u) & 0xffu;
}

fn is_less(a: Real, b: Real) -> bool {
    return a < b;
}

fn bits_added(a: Real, b: Real) -> Real {
    return a + b;
}

fn bits_right(x: Real, by: u32) -> Real {
    return x >> by;
}
#endif

// Whether x > limit, for a limit that is not negative; false for NaN, whose bits are above those of infinity, as negative numbers' are.
fn exceeds(x: Real, limit: Real) -> bool {
    return is_less(limit, x) && !is_less(INFINITY, x);
}

fn is_positive(x: Real) -> bool {
    return exceeds(x, Real());
}

// Whether x < 0; false for -0 and NaN.
fn is_negative(x: Real) -> bool {
    return exceeds(x ^ SIGN, Real());
}

// x limited to 0 .. high, for a positive number `high`; NaN and -0 stay.
fn clamp_from_zero(x: Real, high: Real) -> Real {
    return select(select(x, high, exceeds(x, high)), Real(), is_negative(x));
}

fn act_abs(x: Real) -> Real {
    return x & ~SIGN;
}

// 0 for negative x, else x; NaN and -0 stay.
fn act_relu(x: Real) -> Real {
    return select(x, Real(), is_negative(x));
}

fn act_relu6(x: Real) -> Real {
    return clamp_from_zero(x, SIX);
}

fn act_brelu(x: Real) -> Real {
    return clamp_from_zero(x, TWENTY_FOUR);
}

// 0 for |x| <= 0.5, else x.
fn act_hard_shrink(x: Real) -> Real {
    return select(Real(), x, is_less(HALF, x & ~SIGN));
}

// x + 0. It only changes -0, to +0.
fn act_scale(x: Real) -> Real {
    return select(Real(), x, is_less(Real(), x & ~SIGN));
}

// -1, 0 or 1; +0 for both zeros and NaN. It selects between 0 and 1 with the sign of x, not between -1 and 0. Mesa's compilers turn a
// select between -1 and 0 into a negated conversion of the condition to a float; if the condition is false, that is -0.
fn act_sign(x: Real) -> Real {
    return select(Real(), ONE | (x & SIGN), is_positive(x & ~SIGN));
}

// x above 1, else 0; NaN stays.
fn act_thresholded_relu(x: Real) -> Real {
    return select(Real(), x, exceeds(x, ONE) || is_nan(x));
}

// A mask of the fraction bits of x below 1. With the exponent field BIAS, which means 1, all fraction bits are below 1.
fn fraction_mask(x: Real) -> Real {
    return bits_right(FRACTION, field_of(x) - BIAS);
}

// x rounded to a whole number: away from zero if `is_away`, else towards zero.
fn to_whole(x: Real, is_away: bool) -> Real {
    if (field_of(x) >= BIAS + FRACTION_BITS) {
        return x; // from 2^23 on every float32 is whole, from 2^52 on every float64; infinities and NaN stay
    }
    if (field_of(x) < BIAS) {
        return (x & SIGN) | select(Real(), ONE, is_away && is_less(Real(), x & ~SIGN));
    }
    let mask = fraction_mask(x);
    // The addition may carry out of the fraction. Then it adds 1 to the exponent field and leaves a fraction of 0: the next power of
    // two, which is right.
    return bits_added(x, select(Real(), mask, is_away)) & ~mask;
}

fn act_trunc(x: Real) -> Real {
    return to_whole(x, false);
}

// Upwards is away from zero where x is not negative.
fn act_ceil(x: Real) -> Real {
    return to_whole(x, all((x & SIGN) == Real()));
}

// Downwards is away from zero where x is negative.
fn act_floor(x: Real) -> Real {
    return to_whole(x, any((x & SIGN) != Real()));
}

// The nearest whole number; ties go away from zero.
fn act_round(x: Real) -> Real {
    if (field_of(x) >= BIAS + FRACTION_BITS) {
        return x; // whole, as in to_whole
    }
    if (field_of(x) < BIAS) {
        return (x & SIGN) | select(Real(), ONE, field_of(x) == BIAS - 1u);
    }
    let mask = fraction_mask(x);
    // Adds one half, then cuts.
    return bits_added(x, mask ^ bits_right(mask, 1u)) & ~mask;
}
