// asin x, acos x and atan x of float32. scaled.wgsl says which operations of WGSL they use.
#import strict_divide
#import act_bits

// asin(x) for |x| <= 0.5, where u = x^2: x, plus x^3 times a polynomial in u, fitted to this interval.
fn asin_near_zero(x: f32, u: f32) -> f32 {
    var sum = 0.0336908475;
    sum = sum * u + 0.0171492379;
    sum = sum * u + 0.0311006624;
    sum = sum * u + 0.0445994027;
    sum = sum * u + 0.0750009418;
    sum = sum * u + 0.166666657;
    return x + x * u * sum;
}

// acos(x) for x in 0.5 .. 1, by acos(x) = 2 asin(√((1 - x) / 2)). The series of asin converges too slowly near 1.
fn acos_near_one(x: f32) -> f32 {
    let u = 0.5 - 0.5 * x;
    return 2.0 * asin_near_zero(bitcast<f32>(strict_sqrt(bitcast<u32>(u))), u);
}

// asin x in -π/2 .. π/2; NaN beyond -1 .. 1.
fn act_asin(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude > ONE) {
        return QUIET_NAN; // for NaN too: NaN's bits are above those of every number
    }
    if (magnitude < 0x39800000u) {
        return x; // below 2^-12 the next term, x^3 / 6, is less than half a unit in the last place
    }
    let number = bitcast<f32>(magnitude);
    if (magnitude <= HALF) {
        return bitcast<u32>(asin_near_zero(number, number * number)) | (x & SIGN);
    }
    return bitcast<u32>(1.57079633 - acos_near_one(number)) | (x & SIGN); // π/2
}

// acos x in 0 .. π; NaN beyond -1 .. 1.
fn act_acos(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude > ONE) {
        return QUIET_NAN; // for NaN too
    }
    let number = bitcast<f32>(x);
    if (magnitude <= HALF) {
        return bitcast<u32>(1.57079633 - asin_near_zero(number, number * number)); // π/2
    }
    // acos(-x) is π - acos(x).
    let angle = acos_near_one(bitcast<f32>(magnitude));
    return bitcast<u32>(select(angle, 3.14159265 - angle, (x & SIGN) != 0u));
}

// atan x in -π/2 .. π/2. Above 1 it is π/2 - atan(1/x), because the polynomial is fitted to 0 .. 1.
fn act_atan(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude > INFINITY || magnitude < 0x39800000u) {
        return x; // NaN, or below 2^-12, where x^3 / 3 is less than half a unit in the last place
    }
    if (magnitude >= 0x4c800000u) {
        return 0x3fc90fdbu | (x & SIGN); // π/2: from 2^26 on, 1/x is too small to change it
    }
    var t = bitcast<f32>(magnitude);
    if (magnitude > ONE) {
        t = bitcast<f32>(strict_divide(ONE, magnitude));
    }
    let u = t * t;
    var sum = 0.00148869189;
    sum = sum * u - 0.00914462935;
    sum = sum * u + 0.0263050012;
    sum = sum * u - 0.0489605144;
    sum = sum * u + 0.0703191459;
    sum = sum * u - 0.089318268;
    sum = sum * u + 0.110882618;
    sum = sum * u - 0.142840043;
    sum = sum * u + 0.199999496;
    sum = sum * u - 0.333333343;
    let angle = t + t * u * sum;
    return bitcast<u32>(select(angle, 1.57079633 - angle, magnitude > ONE)) | (x & SIGN); // π/2
}
