// Division of 64-bit integers in two words, bit by bit.
#import wide

// The first `bits` bits, up to 64, of the quotient a / b, with a < 2b: the first bit is the whole part, the others are the fraction.
// .xy holds them as an integer, low word first; .z is 0 if the quotient is exact.
fn wide_quotient(a: vec2<u32>, b: vec2<u32>, bits: u32) -> vec3<u32> {
    var quotient = vec2<u32>(0u, 0u);
    var rest = a;
    var carry = 0u; // 1 if the doubled rest has more than 64 bits
    var left = 0u;  // 0 if the rest is 0
    for (var bit = 0u; bit < bits; bit++) {
        quotient = wide_shift_left(quotient, 1u);
        if (carry != 0u || !wide_less(rest, b)) {
            rest = wide_subtract(rest, b);
            quotient.x |= 1u;
        }
        left = rest.x | rest.y;
        carry = rest.y >> 31u;
        rest = wide_shift_left(rest, 1u);
    }
    return vec3<u32>(quotient, left);
}

// The whole part of an unsigned quotient in .xy, low word first; .z is 0 if it is exact. b is not 0.
fn wide_divide(a: vec2<u32>, b: vec2<u32>) -> vec3<u32> {
    if (wide_less(a, b)) {
        return vec3<u32>(0u, 0u, a.x | a.y);
    }
    // b moves left until its top bit is at the place of a's. Then a < 2b, and the quotient has shift + 1 whole bits.
    let shift = wide_leading_zeros(b) - wide_leading_zeros(a);
    return wide_quotient(a, wide_shift_left(b, shift), shift + 1u);
}

// |a| of a signed integer. The smallest integer gives its own bits, 2^63 as unsigned.
fn wide_magnitude(a: vec2<u32>) -> vec2<u32> {
    if ((a.y & 0x80000000u) != 0u) {
        return wide_subtract(vec2<u32>(0u, 0u), a);
    }
    return a;
}
