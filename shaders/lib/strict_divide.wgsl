// binary32 division and square root in integers, on bits, rounded to nearest even; WGSL allows errors of 2.5 units in the last
// place and more.
#import strict_float

// a / b. A NaN result is QUIET_NAN.
fn strict_divide(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & SIGN;
    let magnitude_a = a & 0x7fffffffu;
    let magnitude_b = b & 0x7fffffffu;
    if (magnitude_a > INFINITY || magnitude_b > INFINITY) {
        return QUIET_NAN;
    }
    // ∞ / ∞ and 0 / 0 are NaN.
    if (magnitude_a == INFINITY || magnitude_b == 0u) {
        return select(sign | INFINITY, QUIET_NAN, magnitude_a == magnitude_b || magnitude_b == INFINITY
            || (magnitude_a == 0u && magnitude_b == 0u));
    }
    if (magnitude_a == 0u || magnitude_b == INFINITY) {
        return sign;
    }
    let x = unpack(a);
    let y = unpack(b);
    var exponent = x.exponent - y.exponent + 127;
    var rest = x.significand;
    // Doubles a smaller dividend, so the quotient is in 1 .. 2.
    if (rest < y.significand) {
        rest <<= 1u;
        exponent -= 1;
    }
    // Long division: 25 bits of the quotient, the first one set, the others in three digits of 8 bits; rest stays below y, which has 24
    // bits. float32 keeps 24 of the bits. The other bit and a nonzero rest decide the rounding.
    var quotient = 1u;
    rest -= y.significand;
    for (var digit = 0u; digit < 3u; digit++) {
        rest <<= 8u;
        let next = rest / y.significand;
        rest -= next * y.significand;
        quotient = (quotient << 8u) | next;
    }
    return round_pack(sign, exponent, (quotient << 7u) | select(0u, 1u, rest != 0u));
}

// √x. -0 is its own root; QUIET_NAN below that.
fn strict_sqrt(x: u32) -> u32 {
    if ((x & 0x7fffffffu) == 0u || x == INFINITY) {
        return x;
    }
    if (x > INFINITY) {
        return QUIET_NAN; // NaN, or negative: the sign is the top bit
    }
    let number = unpack(x);
    var exponent = number.exponent - 127;
    var rest = number.significand << 1u;
    // The exponent must be even before it is halved: one factor of 2 moves to the significand.
    if ((exponent & 1) != 0) {
        rest <<= 1u;
        exponent -= 1;
    }
    // 25 bits of the root, digit by digit: `twice` is twice the root so far. float32 keeps 24 of the bits. The other bit and a nonzero
    // rest decide the rounding.
    var root = 0u;
    var twice = 0u;
    for (var digit = 0x1000000u; digit != 0u; digit >>= 1u) {
        let trial = twice + digit;
        if (trial <= rest) {
            twice = trial + digit;
            rest -= trial;
            root += digit;
        }
        rest <<= 1u;
    }
    return round_pack(0u, exponent / 2 + 127, (root << 7u) | select(0u, 1u, rest != 0u));
}
