// Activations of float64 that choose or round x. Each takes the bits of x, the low word first, and returns the bits of the result.
// act_bits.wgsl has the same for float32.
#import strict_double

const DOUBLE_ONE: vec2<u32> = vec2<u32>(0u, 0x3ff00000u);
const DOUBLE_HALF: vec2<u32> = vec2<u32>(0u, 0x3fe00000u);
const DOUBLE_SIX: vec2<u32> = vec2<u32>(0u, 0x40180000u);
const DOUBLE_ZERO: vec2<u32> = vec2<u32>(0u, 0u);

fn double_is_zero(x: vec2<u32>) -> bool {
    return (x.x | (x.y & 0x7fffffffu)) == 0u;
}

// Whether x < 0; false for -0 and NaN.
fn double_is_negative(x: vec2<u32>) -> bool {
    return (x.y & DOUBLE_SIGN) != 0u && !double_is_zero(x) && !double_is_nan(x);
}

// Whether x > limit, for a limit that is not negative; false for NaN.
fn double_exceeds(x: vec2<u32>, limit: vec2<u32>) -> bool {
    return (x.y & DOUBLE_SIGN) == 0u && wide_less(limit, x) && !double_is_nan(x);
}

// x limited to 0 .. high; NaN and -0 stay.
fn double_clamp_from_zero(x: vec2<u32>, high: vec2<u32>) -> vec2<u32> {
    return select(select(x, high, double_exceeds(x, high)), DOUBLE_ZERO, double_is_negative(x));
}

fn act_abs(x: vec2<u32>) -> vec2<u32> {
    return double_magnitude(x);
}

// 0 for negative x, else x; NaN and -0 stay.
fn act_relu(x: vec2<u32>) -> vec2<u32> {
    return select(x, DOUBLE_ZERO, double_is_negative(x));
}

fn act_relu6(x: vec2<u32>) -> vec2<u32> {
    return double_clamp_from_zero(x, DOUBLE_SIX);
}

fn act_brelu(x: vec2<u32>) -> vec2<u32> {
    return double_clamp_from_zero(x, vec2<u32>(0u, 0x40380000u)); // 24
}

// 0 for |x| <= 0.5, else x.
fn act_hard_shrink(x: vec2<u32>) -> vec2<u32> {
    return select(DOUBLE_ZERO, x, wide_less(DOUBLE_HALF, double_magnitude(x)));
}

// x + 0. It only changes -0, to +0.
fn act_scale(x: vec2<u32>) -> vec2<u32> {
    return select(x, DOUBLE_ZERO, double_is_zero(x));
}

// -1, 0 or 1; +0 for both zeros and NaN.
fn act_sign(x: vec2<u32>) -> vec2<u32> {
    let one = DOUBLE_ONE | vec2<u32>(0u, x.y & DOUBLE_SIGN);
    return select(one, DOUBLE_ZERO, double_is_zero(x) || double_is_nan(x));
}

// x above 1, else 0; NaN stays.
fn act_thresholded_relu(x: vec2<u32>) -> vec2<u32> {
    return select(DOUBLE_ZERO, x, double_exceeds(x, DOUBLE_ONE) || double_is_nan(x));
}

// A mask of the fraction bits of x below 1, for |x| in 1 .. 2^52.
fn double_fraction_mask(x: vec2<u32>) -> vec2<u32> {
    return wide_shift_right(vec2<u32>(0xffffffffu, DOUBLE_FRACTION), double_field(x) - 1023u);
}

// x rounded to a whole number: away from zero if `is_away`, else towards zero.
fn double_to_whole(x: vec2<u32>, is_away: bool) -> vec2<u32> {
    if (double_field(x) >= 1075u) {
        return x; // from 2^52 on every number is whole; infinities and NaN stay
    }
    if (double_field(x) < 1023u) {
        let below_one = select(DOUBLE_ZERO, DOUBLE_ONE, is_away && !double_is_zero(x));
        return below_one | vec2<u32>(0u, x.y & DOUBLE_SIGN);
    }
    let mask = double_fraction_mask(x);
    // A carry out of the fraction makes the next power of two, which is right.
    return wide_add(x, select(DOUBLE_ZERO, mask, is_away)) & ~mask;
}

fn act_trunc(x: vec2<u32>) -> vec2<u32> {
    let is_away = false;
    return double_to_whole(x, is_away);
}

fn act_ceil(x: vec2<u32>) -> vec2<u32> {
    let is_away = (x.y & DOUBLE_SIGN) == 0u;
    return double_to_whole(x, is_away);
}

fn act_floor(x: vec2<u32>) -> vec2<u32> {
    let is_away = (x.y & DOUBLE_SIGN) != 0u;
    return double_to_whole(x, is_away);
}

// The nearest whole number; ties go away from zero.
fn act_round(x: vec2<u32>) -> vec2<u32> {
    if (double_field(x) >= 1075u) {
        return x;
    }
    if (double_field(x) < 1023u) {
        let below_one = select(DOUBLE_ZERO, DOUBLE_ONE, double_field(x) == 1022u);
        return below_one | vec2<u32>(0u, x.y & DOUBLE_SIGN);
    }
    let mask = double_fraction_mask(x);
    // Adds one half, then cuts.
    return wide_add(x, wide_shift_right(wide_add(mask, vec2<u32>(1u, 0u)), 1u)) & ~mask;
}
