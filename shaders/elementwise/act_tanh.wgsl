// The hyperbolic tangent of float32 and functions of it.
#import act_bits
#import scaled

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

// tanh x. Above 1.25 it is 1 - 2 / (e^2x + 1), which would cancel digits below 1.25.
fn act_tanh(x: u32) -> u32 {
    if (is_nan(x) || !is_beyond(x, 0.000244140625)) {
        return x; // up to 2^-12 the next term, x^3 / 3, is less than half a unit in the last place
    }
    if (is_beyond(x, 10.0)) {
        return ONE | (x & SIGN); // 1 - tanh(10) is less than half a unit in the last place
    }
    let number = bitcast<f32>(x & 0x7fffffffu);
    if (number <= 1.25) {
        let u = number * number;
        return bitcast<u32>(number + number * u * tanh_rest(u)) | (x & SIGN);
    }
    let power = unscaled(exp_scaled(2.0 * number, 0.0));
    return bitcast<u32>(1.0 - divide(2.0, power + 1.0)) | (x & SIGN);
}

// 1.7159 · tanh(0.67 x).
fn act_stanh(x: u32) -> u32 {
    return strict_multiply(0x3fdba29cu, act_tanh(strict_multiply(0x3f2b851fu, x)));
}

// x - tanh x. Up to 1.25 the difference would cancel digits, so it is the polynomial.
fn act_tanh_shrink(x: u32) -> u32 {
    if (is_nan(x) || (x & 0x7fffffffu) == INFINITY) {
        return x;
    }
    if ((x & 0x7fffffffu) == 0u) {
        return 0u; // -0 - (-0) is +0
    }
    let number = bitcast<f32>(x);
    if (is_beyond(x, 1.25)) {
        return bitcast<u32>(number - bitcast<f32>(act_tanh(x)));
    }
    let u = number * number;
    // In integers, as the product may be subnormal.
    return strict_multiply(x, bitcast<u32>(-(u * tanh_rest(u))));
}
