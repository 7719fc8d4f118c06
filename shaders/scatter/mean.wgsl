// The mean: `mean(value, terms)` divides a sum by the number of its terms, which is at least 1, low word first. Rounded once; integers are
// rounded down.
#import width
#import wide_divide

#ifdef FLOAT64
#import strict_double_divide

fn mean(value: Element, terms: vec2<u32>) -> Element {
    // The number of terms as a float64: double_round_pack takes significand · 2^(exponent - 1023 - 63), and 1086 is 1023 + 63.
    let zeros = wide_leading_zeros(terms);
    let divisor = double_round_pack(0u, 1086 - i32(zeros), wide_shift_left(terms, zeros));
    return strict_double_divide(value, divisor);
}
#endif

#ifdef SHORT_FLOAT
#import strict_float

// The quotient of a number and `terms`, not rounded yet. The number is given as bits, finite and not zero. `terms` is from 1 to 2^63 -
// 1, low word first. The significand is in the form for round_pack: bit 31 is set, and the lowest bit records whether a set bit was
// cut. The caller sets the sign.
fn mean_quotient(bits: u32, terms: vec2<u32>) -> Unpacked {
    let x = unpack(bits);
    let zeros = wide_leading_zeros(terms);
    // Both operands have their top bit set, so the quotient is between 1/2 and 2: the first or the second of its 32 bits is set.
    let quotient = wide_quotient(vec2<u32>(0u, x.significand << 8u), wide_shift_left(terms, zeros), 32u);
    let shift = countLeadingZeros(quotient.x);
    let significand = (quotient.x << shift) | select(0u, 1u, quotient.z != 0u);
    // Shifting the divisor by `zeros` divided the quotient by 2^zeros. With one term `zeros` is 63, and the exponent is that of x.
    return Unpacked(x.exponent + i32(zeros) - 63 - i32(shift), significand);
}

// Whether a division by a number of terms keeps a float unchanged: zeros, infinities, NaNs.
fn is_fixed(bits: u32) -> bool {
    return (bits << 1u) == 0u || (bits & 0x7fffffffu) >= INFINITY;
}
#endif

#ifdef FLOAT32
fn mean(value: Element, terms: vec2<u32>) -> Element {
    if (is_fixed(value)) {
        return value;
    }
    let quotient = mean_quotient(value, terms);
    return round_pack(value & SIGN, quotient.exponent, quotient.significand);
}
#endif

#ifdef HALF
#import strict_half

fn mean(value: Element, terms: vec2<u32>) -> Element {
    let bits = half_widen(value);
    if (is_fixed(bits)) {
        return value;
    }
    let quotient = mean_quotient(bits, terms);
    return half_round_pack(bits & SIGN, quotient.exponent, quotient.significand);
}
#endif

// A negative integer is rounded down by complements: ~x is -x - 1, so the mean of x is the complement of the mean of ~x.
#ifdef INT
fn mean(value: Element, terms: vec2<u32>) -> Element {
#ifdef UNSIGNED
    return wide_divide(vec2<u32>(value, 0u), terms).x;
#else
    let flip = u32(i32(value << countLeadingZeros(ELEMENT_MASK)) >> 31u) & ELEMENT_MASK;
    return wide_divide(vec2<u32>(value ^ flip, 0u), terms).x ^ flip;
#endif
}
#endif

#ifdef INT64
fn mean(value: Element, terms: vec2<u32>) -> Element {
#ifdef UNSIGNED
    return wide_divide(value, terms).xy;
#else
    let flip = vec2<u32>(u32(i32(value.y) >> 31u));
    return wide_divide(value ^ flip, terms).xy ^ flip;
#endif
}
#endif
