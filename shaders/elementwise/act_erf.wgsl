// erf and gelu of float32.
#import act_bits
#import scaled

// The probability that a standard normal variable is above t, times e^(t²/2), for t in 0 .. 14.6. This product changes so slowly that
// one polynomial in s suffices. s maps the interval to about -1 .. 0.7.
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

// The error function. Up to 1 it is x plus x times a polynomial in x^2; beyond, it is 1 - 2 · (the normal probability above |x| √2).
fn act_erf(x: u32) -> u32 {
    if (is_nan(x)) {
        return QUIET_NAN;
    }
    if (!is_beyond(x, 0.000244140625)) {
        // 2/√π, for |x| <= 2^-12. In integers, as the product may be subnormal.
        return strict_multiply(x, 0x3f906ebbu);
    }
    if (is_beyond(x, 4.0)) {
        return ONE | (x & SIGN); // 1 - erf(4) is less than half a unit in the last place
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
    // With t = √2 |x|, the factor e^(-t²/2) is e^-u.
    let tail = normal_tail(number * 1.41421356) * unscaled(exp_scaled(-u, 0.0));
    return bitcast<u32>(1.0 - 2.0 * tail) | (x & SIGN);
}

// x times the probability that a standard normal variable is below x. At -∞ the formula is -∞ · 0, so NaN.
fn act_gelu(x: u32) -> u32 {
    if (is_nan(x) || x == (SIGN | INFINITY)) {
        return QUIET_NAN;
    }
    let negative = (x & SIGN) != 0u;
    if (!is_beyond(x, 0.000244140625)) {
        // x (1/2 + x / √(2π)), for |x| <= 2^-12. The last product is in integers, as it may be subnormal.
        return strict_multiply(x, bitcast<u32>(0.5 + 0.398942280 * bitcast<f32>(x)));
    }
    if (is_beyond(x, 14.6)) {
        return select(x, SIGN, negative); // x, or a negative number that rounds to -0
    }
    let t = bitcast<f32>(x & 0x7fffffffu);
    // t² is upper² + (t - upper)(t + upper). `upper` has only the first 12 bits of the significand, so its square is exact. An error of
    // the exponent of e becomes a relative error of the power, and t² itself would lose too many bits.
    let upper = bitcast<f32>(x & 0x7ffff000u);
    let power = exp_scaled(-0.5 * upper * upper, -0.5 * (t - upper) * (t + upper));
    let tail = power.significand * normal_tail(t);
    if (negative) {
        return scale_bits(-t * tail, power.exponent); // may be subnormal
    }
    return bitcast<u32>(t - t * unscaled(Scaled(tail, power.exponent)));
}
