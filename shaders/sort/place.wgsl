// Numbers of any dtype in one order: that of a word with sign and exponent, then of the 64 most significant bits. NaN is after everything, and
// both zeros are equal.
#import number
#import any_element

struct Place {
    high: u32,
    low: vec2<u32>,
}

fn place_of(bits: vec2<u32>, format: Format) -> Place {
    let number = take_apart(bits, format);
    if (number.is_nan) {
        return Place(0xffffffffu, ALL_BITS);
    }
    if (is_zero(number)) {
        return Place(TOP_BIT, vec2<u32>());
    }
    let shift = wide_leading_zeros(number.magnitude);
    // Every exponent is above -4096 and below 8192.
    let high = TOP_BIT | u32(number.exponent - i32(shift) + 4096);
    let low = wide_shift_left(number.magnitude, shift);
    if (number.is_negative) {
        return Place(~high, ~low);
    }
    return Place(high, low);
}

fn place_less(a: Place, b: Place) -> bool {
    return a.high < b.high || (a.high == b.high && wide_less(a.low, b.low));
}
