// float16 and bfloat16 by way of binary32. strict_float.wgsl adds, multiplies and divides them as binary32; this file rounds the
// results. Two roundings give the same bits as one:
//
// - Sums. If binary32 holds the sum exactly, only one rounding takes place. Otherwise the sum spans more than 24 bits. Both operands
//   have p = 11 or 8 bits. So the exponents of the larger operand a and the smaller b differ by at least 24 - p, or 25 - p if the signs
//   differ. That makes |b| less than half the distance from a to the midpoint between a and its neighbour. a is a binary32, so
//   rounding to nearest moves the sum by at most |b|. Before and after, the sum is on a's side of the midpoint, and a is the result.
// - Products of float16 have 22 bits and are multiples of 2^-48: binary32 holds them exactly.
// - Products of bfloat16 have 16 bits. From 2^-134 up binary32 holds them exactly, or overflows if bfloat16 overflows. Smaller products
//   stay at or below 2^-134, half of the smallest bfloat16, and become 0.
// - Quotients x / y. Let m be the midpoint of two neighbouring results. If x / y is not m itself, |x - m·y| is at least one unit of the
//   product m·y. This product has at most 2p + 1 bits, so the quotient is at least m · 2^-23 away from m. Rounding to binary32 moves
//   the quotient by at most half of that. If the binary32 is subnormal, m is k · 2^-134 with k up to 2^8: the distance is at least
//   2^-142, and the rounding at most 2^-150.
#import strict_float

#ifdef FLOAT16
// The bits of the binary32 with the value of a float16, which is in the low bits of a word.
fn half_widen(element: u32) -> u32 {
    let sign = (element & 0x8000u) << 16u;
    let magnitude = element & 0x7fffu;
    // Infinity or NaN: keep the fraction.
    if (magnitude >= 0x7c00u) {
        return sign | INFINITY | ((magnitude & 0x3ffu) << 13u);
    }
    if (magnitude >= 0x400u) {
        return sign | ((magnitude << 13u) + 0x38000000u); // the bias goes from 15 to 127
    }
    if (magnitude == 0u) {
        return sign;
    }
    // A subnormal float16 is a normal binary32. Its top bit moves to bit 23, the lowest of the exponent field, and adds one there. So
    // 125 - shift is one less than the field of magnitude · 2^-24.
    let shift = countLeadingZeros(magnitude) - 8u;
    return sign | (((125u - shift) << 23u) + (magnitude << shift));
}

// The float16 nearest to a binary32, ties to even. Any NaN becomes 0x7e00.
fn half_round(bits: u32) -> u32 {
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if (magnitude > INFINITY) {
        return 0x7e00u;
    }
    let field = magnitude >> 23u;
    // The bias goes from 127 to 15, and the fraction from 23 bits to 10.
    var x = magnitude - 0x38000000u;
    var shift = 13u;
    if (field < 113u) {
        // Below 2^-14 a float16 is subnormal: the last place stays 2^-24, and the exponent field stays 0.
        x = (magnitude & 0x7fffffu) | 0x800000u;
        shift = min(126u - field, 31u);
    }
    let below = x << (32u - shift);
    var kept = x >> shift;
    if (below > SIGN || (below == SIGN && (kept & 1u) == 1u)) {
        kept += 1u;
    }
    // A round-up may carry into the exponent field: the result is then the next power of two, or infinity.
    return sign | min(kept, 0x7c00u);
}
#else
// The bits of the binary32 with the value of a bfloat16, which is in the low bits of a word. The bfloat16 is its upper half.
fn half_widen(element: u32) -> u32 {
    return element << 16u;
}

// The bfloat16 nearest to a binary32, ties to even. Any NaN becomes 0x7fc0.
fn half_round(bits: u32) -> u32 {
    if (is_nan(bits)) {
        return 0x7fc0u;
    }
    // Adds a little less than half of the last place, or exactly half if the last place is odd: the sum carries into the last place if
    // the result must round up. A carry into the exponent field is right, as above.
    return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}
#endif

// The half float nearest to significand · 2^(exponent - 127 - 31), rounded once: like `round_pack`, but the binary32 between is cut and not
// rounded. Its lowest bit records whether a set bit was lost (sticky). This bit is far below the last place of the result, so `half_round`
// then rounds correctly.
fn half_round_pack(sign: u32, exponent: i32, significand: u32) -> u32 {
    var x = significand;
    var base = 0u;
    // As in round_pack, a subnormal binary32 is shifted further; otherwise the significand's top bit counts as one step of the exponent
    // field.
    if (exponent <= 0) {
        x = shift_right_sticky(x, u32(min(1 - exponent, 31)));
    } else {
        base = u32(min(exponent, 255) - 1) << 23u;
    }
    return half_round(sign | min(base + shift_right_sticky(x, 8u), INFINITY));
}
