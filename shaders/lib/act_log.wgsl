// Activations of float32 that are made of ln x. Uses act_exp.wgsl, which says what of WGSL is used.

// ln(1 + f) for f in 1/√2 - 1 .. √2 - 1, plus n · ln 2.
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
    // ln 2 in two parts; n times the first is exact.
    return (f + ((square * f * sum - n * 0.000212194440) - 0.5 * square)) + n * 0.693359375;
}

// x is positive and finite.
fn log_float(x: u32) -> f32 {
    let number = unpack(x);
    let is_large = number.significand > 0xb504f3u; // √2
    let reduced = (number.significand & 0x7fffffu) | select(ONE, HALF, is_large);
    return log_near_one(bitcast<f32>(reduced) - 1.0, f32(number.exponent - select(127, 126, is_large)));
}

// ln(1 + x) for x > -1.
fn log1p_float(x: f32) -> f32 {
    if (x > -0.2928 && x < 0.4142) {
        return log_near_one(x, 0.0);
    }
    return log_float(bitcast<u32>(1.0 + x));
}

fn act_log(x: u32) -> u32 {
    if ((x & 0x7fffffffu) == 0u) {
        return SIGN | INFINITY;
    }
    if (x == INFINITY) {
        return x;
    }
    if (x > INFINITY) {
        return QUIET_NAN;
    }
    return bitcast<u32>(log_float(x));
}

fn act_log1p(x: u32) -> u32 {
    if (is_nan(x) || x == INFINITY || !is_beyond(x, 0.00000001)) {
        return x;
    }
    if (x >= (SIGN | ONE)) {
        return select(QUIET_NAN, SIGN | INFINITY, x == (SIGN | ONE));
    }
    return bitcast<u32>(log1p_float(bitcast<f32>(x)));
}

fn act_softplus(x: u32) -> u32 {
    if (is_nan(x)) {
        return QUIET_NAN;
    }
    let negative = (x & SIGN) != 0u;
    if (is_beyond(x, 18.0)) {
        // ln(1 + e^x) is e^x below, and x above.
        return select(x, act_exp(x), negative);
    }
    let magnitude = bitcast<f32>(x & 0x7fffffffu);
    let rest = log1p_float(unscaled(exp_scaled(-magnitude, 0.0)));
    return bitcast<u32>(select(magnitude, 0.0, negative) + rest);
}

fn act_soft_relu(x: u32) -> u32 {
    if (!is_nan(x) && is_beyond(x, 40.0)) {
        return act_softplus(0x42200000u | (x & SIGN)); // 40
    }
    return act_softplus(x);
}

fn act_logsigmoid(x: u32) -> u32 {
    return act_softplus(x ^ SIGN) ^ SIGN;
}
