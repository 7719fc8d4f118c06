// Exact numbers of any dtype, and their elements.
#import wide
#import Format

// The exponent field of infinities and NaN, all ones. `format` is a float's.
fn largest_exponent_field(format: Format) -> u32 {
    return (1u << format.exponent_bits) - 1u;
}

// The exponent field minus the exponent. `format` is a float's.
fn bias(format: Format) -> i32 {
    return i32(largest_exponent_field(format) >> 1u);
}

const ALL_BITS: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);
const ONE: vec2<u32> = vec2<u32>(1u, 0u);
const TOP_BIT: u32 = 0x80000000u;

// ±magnitude · 2^exponent, or NaN. Infinities and NaN have INFINITE_EXPONENT. If the exponent is above 0, bit 63 of the magnitude is
// set: the number has more than 64 whole bits.
struct Number {
    is_negative: bool,
    is_nan: bool,
    exponent: i32,
    magnitude: vec2<u32>,
}

// Above the exponent of every finite number.
const INFINITE_EXPONENT: i32 = 4096;

fn is_zero(number: Number) -> bool {
    return (number.magnitude.x | number.magnitude.y) == 0u;
}

// The exact number of an element. The element is in the top bits, of 64.
fn take_apart(element: vec2<u32>, format: Format) -> Number {
    let is_negative = format.is_signed == 1u && (element.y & TOP_BIT) != 0u;
    if (format.exponent_bits == 0u) {
        // The smallest integer's magnitude is its own bit pattern, as unsigned. The exponent accounts for the element's place in the
        // top bits.
        let magnitude = select(element, wide_subtract(vec2<u32>(), element), is_negative);
        return Number(is_negative, false, i32(format.bits) - 64, magnitude);
    }
    // Sign, exponent field and fraction, from the top bit on.
    let field = (element.y << 1u) >> (32u - format.exponent_bits);
    let fraction = wide_shift_left(element, format.exponent_bits + 1u);
    if (field == largest_exponent_field(format)) {
        let is_nan = (fraction.x | fraction.y) != 0u;
        return Number(is_negative, is_nan, INFINITE_EXPONENT, vec2<u32>(0u, TOP_BIT));
    }
    // The fraction follows the significand's top bit, which normal numbers have and do not store. Subnormal numbers have the exponent
    // of field 1.
    var magnitude = wide_shift_right(fraction, 1u);
    if (field != 0u) {
        magnitude.y |= TOP_BIT;
    }
    return Number(is_negative, false, i32(max(field, 1u)) - bias(format) - 63, magnitude);
}

// A number as an element of an integer dtype, in the low bits. Fractions are cut off. A number outside the dtype's range wraps modulo
// 2^bits if it comes from an integer, and becomes the nearest integer of the dtype if it comes from a float. NaN becomes 0.
fn to_integer(number: Number, format: Format, is_from_float: bool) -> vec2<u32> {
    // Below 2^-63 every bit of the magnitude is part of the fraction.
    if (number.is_nan || number.exponent < -63) {
        return vec2<u32>();
    }
    // With an exponent above 0, the number exceeds every 64-bit integer; only floats have such numbers.
    var whole = ALL_BITS;
    if (number.exponent <= 0) {
        whole = wide_shift_right(number.magnitude, u32(-number.exponent));
    }
    if (is_from_float) {
        // The dtype's largest magnitude. For negative numbers it is one more, or 0 if the dtype is unsigned.
        var limit = wide_shift_right(ALL_BITS, 64u - format.bits + format.is_signed);
        if (number.is_negative) {
            limit = select(vec2<u32>(), wide_add(limit, ONE), format.is_signed == 1u);
        }
        whole = select(whole, limit, wide_less(limit, whole));
    }
    let result = select(whole, wide_subtract(vec2<u32>(), whole), number.is_negative);
    return result & wide_shift_right(ALL_BITS, 64u - format.bits);
}

// The float element nearest to a number, ties to even, in the low bits. Any NaN becomes one NaN.
fn to_float(number: Number, format: Format) -> vec2<u32> {
    let fraction_bits = format.bits - 1u - format.exponent_bits;
    let infinity = wide_shift_left(vec2<u32>(largest_exponent_field(format), 0u), fraction_bits);
    // The quiet NaN: the top bit of the fraction is set.
    if (number.is_nan) {
        return infinity | wide_shift_left(ONE, fraction_bits - 1u);
    }
    let sign = wide_shift_left(vec2<u32>(select(0u, 1u, number.is_negative), 0u), format.bits - 1u);
    if (is_zero(number)) {
        return sign;
    }
    let shift = wide_leading_zeros(number.magnitude);
    // Normalised, with bit 63 set: x · 2^(number.exponent - shift).
    let field = number.exponent - i32(shift) + 63 + bias(format);
    var x = wide_shift_left(number.magnitude, shift);
    var base = vec2<u32>();
    // A subnormal number loses more bits, and its exponent field stays 0.
    if (field <= 0) {
        x = wide_shift_right_sticky(x, u32(min(1 - field, 63)));
    } else {
        // One less: the significand's top bit overlaps the lowest bit of the exponent field, so the addition of the significand adds
        // one.
        let steps = min(u32(field), largest_exponent_field(format)) - 1u;
        base = wide_shift_left(vec2<u32>(steps, 0u), fraction_bits);
    }
    // Two bits remain below the last place: one half, and whether a lower bit is set. Rounds up if both are set, or if the half is set
    // and the last place is odd.
    x = wide_shift_right_sticky(x, 61u - fraction_bits);
    var kept = wide_shift_right(x, 2u);
    if ((x.x & 3u) == 3u || (x.x & 7u) == 6u) {
        kept = wide_add(kept, ONE);
    }
    // A round-up may carry into the exponent field: the result is then the next power of two, or infinity. A number above the largest
    // float comes out at infinity or above it, and is cut to infinity.
    let rounded = wide_add(base, kept);
    return sign | select(rounded, infinity, wide_less(infinity, rounded));
}
