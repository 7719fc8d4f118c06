// Quotients of float32 by the adapter's guess, and which of them are certain. WGSL lets a quotient be wrong by 2.5 units in the last place,
// so the guess is too small on purpose, and its exact remainder says by how much. The floats here are whole numbers and their reciprocals:
// none is subnormal, infinite or NaN, and no regrouping of them matters, because integers check the result.
//
// Let x and y be the significands, x doubled if it was smaller: y <= x < 2y, and y < 2^24. The quotient x · 2^24 / y has 25 bits: 24 that
// float32 keeps, and one that decides the rounding.
// - `inverse` is 1/y, too small by 2^-18 of it, give or take 2^-21. So `guess` is below the quotient, by less than 150.
// - `rest` is x · 2^24 - guess · y, from 0 to below 150 · 2^24: its low word is all of it.
// - `more` is rest / y or one less, by the same reciprocal. So `last` is below 2y, and at most one more y fits.
//
// An adapter with worse floats is found out: a result counts only if `more` is below 160 and `last` is below 2y. The rest of a wrong quotient
// differs by a multiple of y, and 2^32 is at least 2^8 · y, so such a quotient is off by 254 or more, and a guess by more than 94, where WGSL
// allows about 11 (2.5 units of the inverse are up to 10 of the quotient). The self-test of each pipeline tries that.
//
// No quotient of normal numbers is a tie. In a tie, q · y = x · 2^24 for an odd q of 25 bits, which divides x then. But q >= 2^24 means that
// x = q, at most, and y = 2^24, which is too much.
#import strict_float

const LEAST_NORMAL: u32 = 0x800000u;
const MOST_FIELD: u32 = 0x7f000000u; // the field 254
const MOST_BELOW: u32 = 0x7e000000u; // the field 252: of a quotient that may still round up

// The bits of the quotient, and a word whose highest bit is 0 if they are certain. They are for a normal b and an a that is normal or zero, where the
// result is normal too, or zero.
fn certain_divide(a: u32, b: u32) -> vec2<u32> {
    let is_zero = (a & ~SIGN) == 0u;
    var x = (a & 0x7fffffu) | 0x800000u;
    let y = (b & 0x7fffffu) | 0x800000u;
    let is_less = x < y;
    x = select(x, x << 1u, is_less);
    let inverse = 0.9999962 / f32(y);
    let guess = u32(f32(x) * inverse * 16777216.0);
    let rest = (x << 24u) - guess * y;
    let more = u32(f32(rest) * inverse);
    let last = rest - more * y;
    let rounded = (guess + more + select(1u, 2u, last >= y)) >> 1u;
    // The fields, where they are in a float. The quotient's is one less, because the top bit of the significand adds one. A zero has the field of 1.
    let field_a = select(a & INFINITY, 0x3f800000u, is_zero);
    let field_b = b & INFINITY;
    let field = field_a - field_b + select(0x3f000000u, 0x3e800000u, is_less);
    let sign = (a ^ b) & SIGN;
    let bits = select(sign | (field + rounded), sign, is_zero);
    // Each condition is the sign of a difference.
    let operands = (min(field_a, field_b) - LEAST_NORMAL) | (MOST_FIELD - max(field_a, field_b));
    return vec2<u32>(bits, operands | field | (MOST_BELOW - field) | last | (2u * y - 1u - last) | (159u - more));
}
