// Activations of float32 that are made of e^x. Polynomials are fitted to these intervals; they use additions
// and multiplications, each of which WGSL rounds correctly, though a compiler may regroup them; round(); and strict_divide. No built-in
// function is used whose error bound is wide or missing. Intermediate numbers stay clear of subnormals, so that an adapter that takes
// those for zero gives the same.

fn divide(a: f32, b: f32) -> f32 {
    return bitcast<f32>(strict_divide(bitcast<u32>(a), bitcast<u32>(b)));
}

// significand · 2^exponent
struct Scaled {
    significand: f32,
    exponent: i32,
}

fn scale_bits(x: f32, exponent: i32) -> u32 {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) == 0u) {
        return bits;
    }
    let significand = (bits & 0x7fffffu) | 0x800000u;
    return round_pack(bits & SIGN, i32((bits >> 23u) & 0xffu) + exponent, significand << 8u);
}

fn unscaled(x: Scaled) -> f32 {
    return bitcast<f32>(scale_bits(x.significand, x.exponent));
}

// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2.
fn exp_rest(r: f32) -> f32 {
    var sum = 0.000198919806;
    sum = sum * r + 0.00139345415;
    sum = sum * r + 0.00833331048;
    sum = sum * r + 0.0416664556;
    sum = sum * r + 0.166666672;
    return sum * r + 0.5;
}

// e^(x + low) for |x| <= 200, where low is below the last place of x.
fn exp_scaled(x: f32, low: f32) -> Scaled {
    let n = round((x + low) * 1.44269504);
    // ln 2 in two parts; n times the first is exact. The difference passes through a word that no compiler knows: with both parts taken
    // together the result would be off by up to 70 units in the last place.
    let high = bitcast<f32>(bitcast<u32>(x - n * 0.693359375) ^ params.head.zero);
    let r = (high + n * 0.000212194440) + low;
    return Scaled(1.0 + (r + r * r * exp_rest(r)), i32(n));
}

// |x| > limit, for finite and infinite x.
fn is_beyond(x: u32, limit: f32) -> bool {
    return (x & 0x7fffffffu) > bitcast<u32>(limit);
}

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

// e^x - 1 for x <= 0.
fn expm1_negative(x: u32) -> u32 {
    if (!is_beyond(x, 0.00000001)) {
        return x;
    }
    if (is_beyond(x, 25.0)) {
        return ONE | SIGN;
    }
    let r = bitcast<f32>(x);
    if (r >= -0.3466) {
        return bitcast<u32>(r + r * r * exp_rest(r));
    }
    return bitcast<u32>(unscaled(exp_scaled(r, 0.0)) - 1.0);
}

fn act_elu(x: u32) -> u32 {
    if (is_positive(x) || is_nan(x)) {
        return x;
    }
    return expm1_negative(x);
}

fn act_selu(x: u32) -> u32 {
    if (is_positive(x) || is_nan(x)) {
        return strict_multiply(0x3f867d5fu, x); // 1.0507
    }
    return strict_multiply(0x3fe10966u, expm1_negative(x)); // 1.0507 · 1.6733
}

// e^-|x| and 1 / (1 + e^-|x|), for |x| <= 200.
struct Logistic {
    power: Scaled,
    value: f32,
}

fn logistic(x: u32) -> Logistic {
    let power = exp_scaled(-bitcast<f32>(x & 0x7fffffffu), 0.0);
    return Logistic(power, divide(1.0, 1.0 + unscaled(power)));
}

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

// x · sigmoid(x). Below -1 the factor alone could be subnormal where the product is not.
fn act_swish(x: u32) -> u32 {
    if (x <= SIGN || !is_beyond(x, 1.0) || is_beyond(x, 200.0)) {
        return strict_multiply(x, act_sigmoid(x));
    }
    let parts = logistic(x);
    return scale_bits(bitcast<f32>(x) * (parts.power.significand * parts.value), parts.power.exponent);
}

// (tanh(x) - x) / x^3 as a function of u = x^2 <= 1.5625.
fn tanh_rest(u: f32) -> f32 {
    var sum = -0.00000224220162;
    sum = sum * u + 0.0000248013312;
    sum = sum * u - 0.000132700588;
    sum = sum * u + 0.000477375987;
    sum = sum * u - 0.00137312594;
    sum = sum * u + 0.00355135812;
    sum = sum * u - 0.00885035191;
    sum = sum * u + 0.0218670685;
    sum = sum * u - 0.0539680161;
    sum = sum * u + 0.133333325;
    return sum * u - 0.333333343;
}

fn act_tanh(x: u32) -> u32 {
    if (is_nan(x) || !is_beyond(x, 0.000244140625)) {
        return x;
    }
    if (is_beyond(x, 10.0)) {
        return ONE | (x & SIGN);
    }
    let number = bitcast<f32>(x & 0x7fffffffu);
    if (number <= 1.25) {
        let u = number * number;
        return bitcast<u32>(number + number * u * tanh_rest(u)) | (x & SIGN);
    }
    let power = unscaled(exp_scaled(2.0 * number, 0.0));
    return bitcast<u32>(1.0 - divide(2.0, power + 1.0)) | (x & SIGN);
}

fn act_stanh(x: u32) -> u32 {
    return strict_multiply(0x3fdba29cu, act_tanh(strict_multiply(0x3f2b851fu, x))); // 1.7159, 0.67
}

fn act_tanh_shrink(x: u32) -> u32 {
    if (is_nan(x) || (x & 0x7fffffffu) == INFINITY) {
        return x;
    }
    if ((x & 0x7fffffffu) == 0u) {
        return 0u;
    }
    let number = bitcast<f32>(x);
    if (is_beyond(x, 1.25)) {
        return bitcast<u32>(number - bitcast<f32>(act_tanh(x)));
    }
    let u = number * number;
    return strict_multiply(x, bitcast<u32>(-(u * tanh_rest(u))));
}

// x · tanh(ln(1 + e^x)), in which the tangent is n / (n + 2) with n = e^x (e^x + 2).
fn act_mish(x: u32) -> u32 {
    if (is_nan(x) || x == (SIGN | INFINITY)) {
        return QUIET_NAN;
    }
    let number = bitcast<f32>(x);
    if (is_beyond(x, 18.0)) {
        if ((x & SIGN) == 0u) {
            return x;
        }
        if (is_beyond(x, 200.0)) {
            return SIGN;
        }
        // The tangent is e^x there.
        let power = exp_scaled(number, 0.0);
        return scale_bits(number * power.significand, power.exponent);
    }
    let e = unscaled(exp_scaled(number, 0.0));
    let n = e * (e + 2.0);
    return strict_multiply(x, bitcast<u32>(divide(n, n + 2.0)));
}
