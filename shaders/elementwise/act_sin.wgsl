// sin x and cos x of float32, for x of any size. Integer code reduces the angle to a quarter of a turn, with enough bits of 2/π for the
// largest float32. WGSL specifies its own functions for -π .. π only, and to an absolute error of 2^-11.
#import strict_float
#import wide

// 32 bits of the binary fraction 2/π = 0.1010…, after its first `skip` bits. `skip` is at most 166.
fn two_over_pi(skip: u32) -> u32 {
    var words = array<u32, 8>(
        0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
    );
    let word = words[skip >> 5u];
    let by = skip & 31u;
    if (by == 0u) {
        return word;
    }
    return (word << by) | (words[(skip >> 5u) + 1u] >> (32u - by));
}

struct Angle {
    quarter: u32, // quarters of a turn, modulo 4: only the last two bits are right
    rest: f32,    // the remaining radians, -π/4 .. π/4
}

// The angle |x|, for the bits of x, finite and |x| >= 2^-13.
fn reduce_angle(x: u32) -> Angle {
    let number = unpack(x & 0x7fffffffu);
    let exponent = number.exponent - 150; // x is significand · 2^exponent
    // x · 2/π counts quarters of a turn. Skip the bits of 2/π that only add multiples of four quarters, and multiply with the next 96.
    let skip = u32(max(exponent - 2, 0));
    let low = wide_product(number.significand, two_over_pi(skip + 64u));
    let middle = wide_product(number.significand, two_over_pi(skip + 32u));
    let high = wide_product(number.significand, two_over_pi(skip));
    let second = middle.x + low.y;
    let first = high.x + middle.y + select(0u, 1u, second < middle.x);
    let carry = select(0u, 1u, first < high.x || (first == high.x && middle.y != 0u));
    // The product is high.y + carry, first, second; a fourth word, low.x, is dropped. A right shift makes the top two bits of the
    // middle word count quarters, and the following bits the fraction of a quarter. After skipped bits no shift is needed.
    var words = vec3<u32>(high.y + carry, first, second);
    var by = u32(max(2 - exponent, 0));
    if (by >= 32u) {
        words = vec3<u32>(0u, words.x, words.y);
        by -= 32u;
    }
    var turn = words.yz;
    if (by > 0u) {
        turn = vec2<u32>((words.y >> by) | (words.x << (32u - by)), (words.z >> by) | (words.y << (32u - by)));
    }
    var quarter = turn.x >> 30u;
    // 64 bits of the fraction. From one half on, the angle counts backwards from the next quarter.
    var fraction = vec2<u32>((turn.x << 2u) | (turn.y >> 30u), turn.y << 2u);
    let is_above = (fraction.x & SIGN) != 0u;
    if (is_above) {
        quarter += 1u;
        // 1 - fraction: its two's complement.
        fraction = vec2<u32>(~fraction.x + select(0u, 1u, fraction.y == 0u), 0u - fraction.y);
    }
    // No float32 is so close to a whole number of quarters that the first word is 0. `| 1u` still keeps the shifts below 32.
    let shift = countLeadingZeros(fraction.x | 1u);
    var normal = fraction.x << shift;
    if (shift > 0u) {
        normal |= fraction.y >> (32u - shift);
    }
    // 32 bits in two numbers that a float32 holds exactly: the upper 24, and the lower 8 in units of 2^-8.
    let significand = f32(normal >> 8u) + f32(normal & 0xffu) * 0.00390625;
    let unit = bitcast<f32>((103u - shift) << 23u); // 2^(-24 - shift)
    let rest = significand * 1.57079633 * unit; // a quarter of a turn is π/2
    return Angle(quarter, select(rest, -rest, is_above));
}

// The sine of an angle. In odd quarters it is the cosine of the rest, and in the second half of a turn it is negative.
fn sin_of(angle: Angle) -> f32 {
    let r = angle.rest;
    let u = r * r;
    var result = 0.0;
    if ((angle.quarter & 1u) == 0u) {
        // The polynomials are fitted to -π/4 .. π/4.
        result = r + r * u * (((0.00000272496209 * u - 0.000198400841) * u + 0.00833333191) * u - 0.166666672);
    } else {
        result = 1.0 - (0.5 * u - u * u * ((0.0000245476895 * u - 0.00138883013) * u + 0.0416666642));
    }
    return select(result, -result, (angle.quarter & 2u) != 0u);
}

// sin x; NaN for infinities and NaN.
fn act_sin(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude >= INFINITY) {
        return QUIET_NAN;
    }
    if (magnitude < 0x39800000u) {
        return x; // below 2^-12 the next term, x^3 / 6, is less than half a unit in the last place
    }
    return bitcast<u32>(sin_of(reduce_angle(magnitude))) ^ (x & SIGN);
}

// cos x; NaN for infinities and NaN.
fn act_cos(x: u32) -> u32 {
    let magnitude = x & 0x7fffffffu;
    if (magnitude >= INFINITY) {
        return QUIET_NAN;
    }
    if (magnitude < 0x39800000u) {
        return 0x3f800000u; // 1: below 2^-12 the next term, x^2 / 2, is less than half a unit in the last place
    }
    let angle = reduce_angle(magnitude);
    // cos x is the sine of x plus a quarter of a turn.
    return bitcast<u32>(sin_of(Angle(angle.quarter + 1u, angle.rest)));
}
