// erf and gelu of float32. Uses act_exp.wgsl, which says what of WGSL is used.

// e^(t²/2) times the part of the normal distribution above t, for t in 0 .. 14.6.
fn normal_tail(t: f32) -> f32 {
    let s = divide(t - 3.0, t + 3.0);
    var sum = 0.0000466988022;
    sum = sum * s + 0.0000126817285;
    sum = sum * s - 0.000469319202;
    sum = sum * s - 0.000340781815;
    sum = sum * s + 0.00299065677;
    sum = sum * s + 0.00115520251;
    sum = sum * s - 0.0227265004;
    sum = sum * s + 0.0451646335;
    sum = sum * s - 0.0164323747;
    sum = sum * s - 0.0965267867;
    sum = sum * s + 0.486055791;
    return divide(sum, t + 1.0);
}

fn act_erf(x: u32) -> u32 {
    if (is_nan(x)) {
        return QUIET_NAN;
    }
    if (!is_beyond(x, 0.000244140625)) {
        return strict_multiply(x, 0x3f906ebbu); // 2/√π
    }
    if (is_beyond(x, 4.0)) {
        return ONE | (x & SIGN);
    }
    let number = bitcast<f32>(x & 0x7fffffffu);
    let u = number * number;
    if (number <= 1.0) {
        var sum = -0.00000966704465;
        sum = sum * u + 0.000112659589;
        sum = sum * u - 0.000848408032;
        sum = sum * u + 0.00522103161;
        sum = sum * u - 0.0268654302;
        sum = sum * u + 0.112837821;
        sum = sum * u - 0.376126379;
        sum = sum * u + 0.128379166;
        return bitcast<u32>(number + number * sum) | (x & SIGN);
    }
    let tail = normal_tail(number * 1.41421356) * unscaled(exp_scaled(-u, 0.0));
    return bitcast<u32>(1.0 - 2.0 * tail) | (x & SIGN);
}

// x times the part of the normal distribution below x.
fn act_gelu(x: u32) -> u32 {
    if (is_nan(x) || x == (SIGN | INFINITY)) {
        return QUIET_NAN;
    }
    let negative = (x & SIGN) != 0u;
    if (!is_beyond(x, 0.000244140625)) {
        return strict_multiply(x, bitcast<u32>(0.5 + 0.398942280 * bitcast<f32>(x)));
    }
    if (is_beyond(x, 14.6)) {
        return select(x, SIGN, negative);
    }
    let t = bitcast<f32>(x & 0x7fffffffu);
    // The square of the upper half is exact; e^x magnifies what is lost of large x.
    let upper = bitcast<f32>(x & 0x7ffff000u);
    let power = exp_scaled(-0.5 * upper * upper, -0.5 * (t - upper) * (t + upper));
    let tail = power.significand * normal_tail(t);
    if (negative) {
        return scale_bits(-t * tail, power.exponent);
    }
    return bitcast<u32>(t - t * unscaled(Scaled(tail, power.exponent)));
}
