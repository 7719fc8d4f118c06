// Activations of float32 that compare and move, on the bits: an adapter may take subnormal numbers for zero
// and NaN for anything, integers it may not. The definition is src/backend/cpu/activate.rs.

const ONE: u32 = 0x3f800000u;
const HALF: u32 = 0x3f000000u;

fn is_positive(x: u32) -> bool {
    return x - 1u < INFINITY;
}

fn is_negative(x: u32) -> bool {
    return (x ^ SIGN) - 1u < INFINITY;
}

// x > limit, for a limit that is not negative.
fn exceeds(x: u32, limit: u32) -> bool {
    return x > limit && x <= INFINITY;
}

// x between 0 and high; NaN and -0 stay.
fn clamp_from_zero(x: u32, high: u32) -> u32 {
    if (is_negative(x)) {
        return 0u;
    }
    return select(x, high, exceeds(x, high));
}

fn act_abs(x: u32) -> u32 {
    return x & 0x7fffffffu;
}

fn act_relu(x: u32) -> u32 {
    return select(x, 0u, is_negative(x));
}

fn act_relu6(x: u32) -> u32 {
    return clamp_from_zero(x, 0x40c00000u);
}

fn act_brelu(x: u32) -> u32 {
    return clamp_from_zero(x, 0x41c00000u);
}

fn act_hard_shrink(x: u32) -> u32 {
    return select(x, 0u, (x & 0x7fffffffu) <= HALF);
}

fn act_scale(x: u32) -> u32 {
    return select(x, 0u, x == SIGN);
}

// No select between -1 and 0: Mesa's compilers turn that into a negated conversion of the condition, which
// is -0 where it is false.
fn act_sign(x: u32) -> u32 {
    return select(0u, ONE | (x & SIGN), is_positive(x & 0x7fffffffu));
}

fn act_thresholded_relu(x: u32) -> u32 {
    return select(0u, x, exceeds(x, ONE) || is_nan(x));
}

// The bits of x below 1; x is finite, |x| in 1 .. 2^23.
fn fraction_mask(x: u32) -> u32 {
    return 0x7fffffu >> (((x >> 23u) & 0xffu) - 127u);
}

// The whole number next to x that is further from zero where `away` says so.
fn to_whole(x: u32, away: bool) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude >= 0x4b000000u) {
        return x; // from 2^23 on all are whole; infinities and NaN
    }
    if (magnitude < ONE) {
        return (x & SIGN) | select(0u, ONE, away && magnitude != 0u);
    }
    let mask = fraction_mask(x);
    // A carry into the exponent is right: the fraction is 0 then.
    return (x + select(0u, mask, away)) & ~mask;
}

fn act_ceil(x: u32) -> u32 {
    return to_whole(x, (x & SIGN) == 0u);
}

fn act_floor(x: u32) -> u32 {
    return to_whole(x, (x & SIGN) != 0u);
}

// Ties go away from zero.
fn act_round(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude >= 0x4b000000u) {
        return x;
    }
    if (magnitude < ONE) {
        return (x & SIGN) | select(0u, ONE, magnitude >= HALF);
    }
    let mask = fraction_mask(x);
    return (x + ((mask + 1u) >> 1u)) & ~mask;
}
