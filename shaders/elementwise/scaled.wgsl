// Helpers for activations of float32: e^x beyond the range of float32, and correct quotients.
//
// The library promises these results within some units in the last place, not to the bit, so the functions use the adapter's floats.
// They rely on round(), and on additions and multiplications, which WGSL rounds correctly but lets a compiler regroup. They do not use
// division, exp() or other built-in functions, because the error bounds of those are wide or missing. Each polynomial is fitted to its
// function's interval. Intermediate numbers are not subnormal where that would matter, so an adapter that treats subnormals as zero
// gives the same results.
#import strict_divide
#import frame

// a / b, rounded correctly: in integers.
fn divide(a: f32, b: f32) -> f32 {
    return bitcast<f32>(strict_divide(bitcast<u32>(a), bitcast<u32>(b)));
}

// The number significand · 2^exponent, which may be beyond the range of float32. The significand is a normal number or zero.
struct Scaled {
    significand: f32,
    exponent: i32,
}

// The bits of x · 2^exponent, rounded once, in integers: the result may be subnormal. x is a normal number or zero.
fn scale_bits(x: f32, exponent: i32) -> u32 {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) == 0u) {
        return bits;
    }
    let significand = (bits & 0x7fffffu) | 0x800000u;
    // round_pack takes the significand in the upper 24 of 32 bits.
    return round_pack(bits & SIGN, i32((bits >> 23u) & 0xffu) + exponent, significand << 8u);
}

// The float32 nearest to x.
fn unscaled(x: Scaled) -> f32 {
    return bitcast<f32>(scale_bits(x.significand, x.exponent));
}

// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2: the series of e^r without its first two terms.
fn exp_rest(r: f32) -> f32 {
    var sum = 0.000198919806;
    sum = sum * r + 0.00139345415;
    sum = sum * r + 0.00833331048;
    sum = sum * r + 0.0416664556;
    sum = sum * r + 0.166666672;
    return sum * r + 0.5;
}

// e^(x + low) for |x| <= 200. `low` is a small part of the exponent; a sum x + low would round it away. The result is 2^n · e^r, where
// n is the whole number nearest to (x + low) / ln 2.
fn exp_scaled(x: f32, low: f32) -> Scaled {
    let n = round((x + low) * 1.44269504); // 1 / ln 2
    // ln 2 is 0.693359375 - 0.00021219444. n times the first part is exact, since that part has nine bits. No compiler knows that the
    // xor's word is zero, so none joins the two parts again; that would cost up to 70 units in the last place.
    let high = bitcast<f32>(bitcast<u32>(x - n * 0.693359375) ^ params.head.zero);
    let r = (high + n * 0.000212194440) + low;
    return Scaled(1.0 + (r + r * r * exp_rest(r)), i32(n));
}

// Whether |x| > limit, for the bits of x and a positive limit; true for NaN. It compares bits, which is right for subnormal x too.
fn is_beyond(x: u32, limit: f32) -> bool {
    return (x & 0x7fffffffu) > bitcast<u32>(limit);
}
