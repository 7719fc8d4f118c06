// `exact_rounded(flags, divisor)`: an exact sum divided by a number and rounded once, to nearest, ties to even. The pass declares
// `exact_word(at)`, word number `at` of the accumulator, and has the flags. The divisor has at most 43 bits, low word first.
#import exact_layout
#import width
#import wide
#ifdef FLOAT64
#import strict_double
#elifdef HALF
#import strict_half
#else
#import strict_float
#endif

// The element with the sign, exponent and fraction of these 32 bits, which are those of a number with a fraction of zeros, or NaN.
fn exact_element(bits: u32) -> Element {
#ifdef FLOAT64
    return vec2<u32>(0u, bits);
#elifdef HALF
    return half_round(bits);
#else
    return bits;
#endif
}

// The sum, given its flags, if these alone decide: an infinity or NaN.
fn exact_special(flags: u32) -> Element {
#ifdef FLOAT64
    let infinity = DOUBLE_INFINITY;
    let nan = DOUBLE_QUIET_NAN;
#else
    let infinity = INFINITY;
    let nan = QUIET_NAN;
#endif
    return exact_element(select(infinity | select(0u, 0x80000000u, (flags & 2u) != 0u), nan, (flags & 3u) == 3u));
}

// The sign of the words before word `end`, times `sign`: 1, 0xffffffff for -1, or 0 if all of them are 0.
fn exact_rest(end: u32, sign: u32) -> u32 {
    for (var at = end; at > 0u; at--) {
        let word = exact_word(at - 1u);
        if (word != 0u) {
            return 1u | (0u - ((word ^ sign) >> 31u));
        }
    }
    return 0u;
}

// The word before word `at`; 0 for the first word.
fn exact_before(at: u32) -> u32 {
    if (at == 0u) {
        return 0u;
    }
    return exact_word(at - 1u);
}

// Word `at` of the magnitude, in which no word is negative. `rest` is the sign of the words before it. If they are negative, they take 1.
fn exact_digit(at: u32, sign: u32, rest: u32) -> u32 {
    return ((exact_word(at) ^ sign) - sign) - (rest >> 31u);
}

fn exact_rounded(flags: u32, divisor: vec2<u32>) -> Element {
    if ((flags & EXACT_INFINITIES) != 0u) {
        return exact_special(flags);
    }
    var top = EXACT_WORDS;
    var word = 0u;
    while (top > 0u && word == 0u) {
        top--;
        word = exact_word(top);
    }
    if (word == 0u) {
        return exact_element(select(0x80000000u, 0u, (flags & EXACT_OTHER) != 0u));
    }
    // The words below are less than the highest one. The first two words of the magnitude, and the sign of what is below them:
    let sign = 0u - (word >> 31u);
    var next = exact_before(top);
    var rest = exact_rest(max(top, 1u) - 1u, sign);
    var digit = ((word ^ sign) - sign) - (select(next ^ sign, rest, next == 0u) >> 31u);
    if (digit == 0u) {
        top--;
        digit = ((next ^ sign) - sign) - (rest >> 31u);
        next = exact_before(top);
        rest = exact_rest(max(top, 1u) - 1u, sign);
    }
#ifdef SHORT_FLOAT
    if (all(divisor == vec2<u32>(1u, 0u))) {
        let second = ((next ^ sign) - sign) - (rest >> 31u);
        let zeros = countLeadingZeros(digit);
        let sticky = select(0u, 1u, ((second << zeros) | rest) != 0u);
        let leading = (digit << zeros) | ((second >> 1u) >> (31u - zeros)) | sticky;
        return exact_packed(sign, i32(32u * (top + EXACT_FIRST) + 32u - zeros), leading);
    }
#endif
    // Long division, bit by bit, until the quotient fills its words. Below word 0 the bits are 0.
    var at = i32(32u * top + 32u); // the number of the last bit that was taken
    digit = 0u;
    var remainder = vec2<u32>(0u);
    var quotient = vec2<u32>(0u);
#ifdef FLOAT64
    while ((quotient.y >> 31u) == 0u) {
#else
    while ((quotient.x >> 31u) == 0u) {
#endif
        at--;
        let bit = u32(at) & 31u;
        if (bit == 31u) {
            digit = 0u;
            if (at > 0) {
                digit = exact_digit(u32(at) >> 5u, sign, exact_rest(u32(at) >> 5u, sign));
            }
        }
        remainder = wide_shift_left(remainder, 1u) | vec2<u32>((digit >> bit) & 1u, 0u);
        quotient = wide_shift_left(quotient, 1u);
        if (!wide_less(remainder, divisor)) {
            remainder = wide_subtract(remainder, divisor);
            quotient.x |= 1u;
        }
    }
    let left = remainder.x | remainder.y | (digit & ((1u << (u32(at) & 31u)) - 1u)) | exact_rest(u32(max(at, 0)) >> 5u, sign);
    quotient.x |= select(0u, 1u, left != 0u);
#ifdef FLOAT64
    return double_round_pack(sign & DOUBLE_SIGN, at + 12, quotient);
#else
    return exact_packed(sign, at + i32(32u * EXACT_FIRST) + 32, quotient.x);
#endif
}

#ifdef SHORT_FLOAT
// The element nearest to a magnitude of `bits` bits in units of 2^-149. `leading` has its first 32 bits, and its lowest bit records whether
// others follow that are not 0.
fn exact_packed(sign: u32, bits: i32, leading: u32) -> Element {
#ifdef HALF
    return half_round_pack(sign & SIGN, bits - 23, leading);
#else
    return round_pack(sign & SIGN, bits - 23, leading);
#endif
}
#endif
