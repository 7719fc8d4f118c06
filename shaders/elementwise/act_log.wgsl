// Activations of float32 based on ln x.
#import act_exp

// ln(1 + f) + n · ln 2, for f in 1/√2 - 1 .. √2 - 1 and a whole number n: f - f^2 / 2, plus f^3 times a polynomial fitted to this
// interval.
fn log_near_one(f: f32, n: f32) -> f32 {
    var sum = 0.0697161183;
    sum = sum * f - 0.114797339;
    sum = sum * f + 0.116854198;
    sum = sum * f - 0.124256872;
    sum = sum * f + 0.142490581;
    sum = sum * f - 0.166678026;
    sum = sum * f + 0.200007156;
    sum = sum * f - 0.24999997;
    sum = sum * f + 0.333333313;
    let square = f * f;
    // ln 2 is 0.693359375 - 0.00021219444; n times the first part is exact. The large term is added last.
    return (f + ((square * f * sum - n * 0.000212194440) - 0.5 * square)) + n * 0.693359375;
}

// ln x, for the bits of a positive finite x, possibly subnormal. x is 2^n · (1 + f), and n puts 1 + f into 1/√2 .. √2.
fn log_float(x: u32) -> f32 {
    let number = unpack(x);
    let is_large = number.significand > 0xb504f3u; // √2 · 2^23
    // 1 + f: the significand with the exponent of 1, or of 1/2.
    let reduced = (number.significand & 0x7fffffu) | select(ONE, HALF, is_large);
    return log_near_one(bitcast<f32>(reduced) - 1.0, f32(number.exponent - select(127, 126, is_large)));
}

// ln(1 + x) for finite x > -1. Near 0, between 1/√2 - 1 and √2 - 1, adding 1 would lose digits of x.
fn log1p_float(x: f32) -> f32 {
    if (x > -0.2928 && x < 0.4142) {
        return log_near_one(x, 0.0);
    }
    return log_float(bitcast<u32>(1.0 + x));
}

// ln x: -∞ for both zeros, NaN below.
fn act_log(x: u32) -> u32 {
    if ((x & 0x7fffffffu) == 0u) {
        return SIGN | INFINITY;
    }
    if (x == INFINITY) {
        return x;
    }
    if (x > INFINITY) {
        return QUIET_NAN; // NaN, or negative: the sign is the top bit
    }
    return bitcast<u32>(log_float(x));
}

// ln(1 + x): -∞ at -1, NaN below.
fn act_log1p(x: u32) -> u32 {
    if (is_nan(x) || x == INFINITY || !is_beyond(x, 0.00000001)) {
        return x; // near 0 the next term, x^2 / 2, is less than half a unit in the last place
    }
    // Bits of x <= -1.
    if (x >= (SIGN | ONE)) {
        return select(QUIET_NAN, SIGN | INFINITY, x == (SIGN | ONE));
    }
    return bitcast<u32>(log1p_float(bitcast<f32>(x)));
}

// ln(1 + e^x), computed as max(x, 0) + ln(1 + e^-|x|): this power cannot overflow.
fn act_softplus(x: u32) -> u32 {
    if (is_nan(x)) {
        return QUIET_NAN;
    }
    let negative = (x & SIGN) != 0u;
    if (is_beyond(x, 18.0)) {
        // To float32's precision the result is x above 18, and e^x below -18.
        return select(x, act_exp(x), negative);
    }
    let magnitude = bitcast<f32>(x & 0x7fffffffu);
    let rest = log1p_float(unscaled(exp_scaled(-magnitude, 0.0)));
    return bitcast<u32>(select(magnitude, 0.0, negative) + rest);
}

// ln(1 + e^x), with x limited to -40 .. 40.
fn act_soft_relu(x: u32) -> u32 {
    if (!is_nan(x) && is_beyond(x, 40.0)) {
        return act_softplus(0x42200000u | (x & SIGN)); // 40
    }
    return act_softplus(x);
}

// ln(sigmoid(x)), which is -ln(1 + e^-x).
fn act_logsigmoid(x: u32) -> u32 {
    return act_softplus(x ^ SIGN) ^ SIGN;
}
