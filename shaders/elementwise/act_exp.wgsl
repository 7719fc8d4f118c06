// Activations of float32 based on e^x.
#import act_bits
#import scaled

// e^x. exp_scaled takes |x| <= 200; well before that, the result is infinite or rounds to 0.
fn act_exp(x: u32) -> u32 {
    if (is_nan(x)) {
        return QUIET_NAN;
    }
    if (is_beyond(x, 200.0)) {
        return select(INFINITY, 0u, (x & SIGN) != 0u);
    }
    let power = exp_scaled(bitcast<f32>(x), 0.0);
    return scale_bits(power.significand, power.exponent);
}

// The bits of e^x - 1, for the bits of an x <= 0 that is not NaN.
fn expm1_negative(x: u32) -> u32 {
    if (!is_beyond(x, 0.00000001)) {
        return x; // the next term, x^2 / 2, is less than half a unit in the last place
    }
    if (is_beyond(x, 25.0)) {
        return ONE | SIGN; // e^-25 is less than half a unit in the last place of 1
    }
    let r = bitcast<f32>(x);
    // For |x| up to ln 2 / 2, the sum for e^x - 1 omits the 1: e^x minus 1 would cancel digits.
    if (r >= -0.3466) {
        return bitcast<u32>(r + r * r * exp_rest(r));
    }
    return bitcast<u32>(unscaled(exp_scaled(r, 0.0)) - 1.0);
}

// x above 0, else e^x - 1.
fn act_elu(x: u32) -> u32 {
    if (is_positive(x) || is_nan(x)) {
        return x;
    }
    return expm1_negative(x);
}

// 1.0507 x above 0, else 1.0507 · 1.6733 (e^x - 1).
fn act_selu(x: u32) -> u32 {
    if (is_positive(x) || is_nan(x)) {
        return strict_multiply(0x3f867d5fu, x); // 1.0507
    }
    return strict_multiply(0x3fe10966u, expm1_negative(x)); // 1.0507 · 1.6733
}

struct Logistic {
    power: Scaled, // e^-|x|
    value: f32,    // 1 / (1 + e^-|x|), the sigmoid of |x|
}

// The power and the sigmoid of |x|, for the bits of an x with |x| <= 200, the range of exp_scaled.
fn logistic(x: u32) -> Logistic {
    let power = exp_scaled(-bitcast<f32>(x & 0x7fffffffu), 0.0);
    return Logistic(power, divide(1.0, 1.0 + unscaled(power)));
}

// 1 / (1 + e^-x). For negative x it is e^x / (1 + e^x), which is e^-|x| times the sigmoid of |x| and may be subnormal.
fn act_sigmoid(x: u32) -> u32 {
    if (is_nan(x)) {
        return QUIET_NAN;
    }
    let negative = (x & SIGN) != 0u;
    if (is_beyond(x, 200.0)) {
        return select(ONE, 0u, negative);
    }
    let parts = logistic(x);
    if (negative) {
        return scale_bits(parts.power.significand * parts.value, parts.power.exponent);
    }
    return bitcast<u32>(parts.value);
}

// x · sigmoid(x). From -200 to -1 it does not use act_sigmoid: the sigmoid could be subnormal, with fewer digits, while the product is
// not.
fn act_swish(x: u32) -> u32 {
    let is_below_zero = x > SIGN; // -0 is not; NaN is beyond 200
    if (!is_below_zero || !is_beyond(x, 1.0) || is_beyond(x, 200.0)) {
        return strict_multiply(x, act_sigmoid(x));
    }
    let parts = logistic(x);
    return scale_bits(bitcast<f32>(x) * (parts.power.significand * parts.value), parts.power.exponent);
}

// x · tanh(ln(1 + e^x)). The hyperbolic tangent is n / (n + 2) with n = e^x (e^x + 2). At -∞ the formula is -∞ · 0, so NaN.
fn act_mish(x: u32) -> u32 {
    if (is_nan(x) || x == (SIGN | INFINITY)) {
        return QUIET_NAN;
    }
    let number = bitcast<f32>(x);
    if (is_beyond(x, 18.0)) {
        if ((x & SIGN) == 0u) {
            return x; // the tangent rounds to 1
        }
        if (is_beyond(x, 200.0)) {
            return SIGN; // rounds to -0
        }
        // Below -18 the tangent is e^x to float32's precision.
        let power = exp_scaled(number, 0.0);
        return scale_bits(number * power.significand, power.exponent);
    }
    let e = unscaled(exp_scaled(number, 0.0));
    let n = e * (e + 2.0);
    return strict_multiply(x, bitcast<u32>(divide(n, n + 2.0)));
}
