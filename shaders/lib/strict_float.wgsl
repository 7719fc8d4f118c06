// binary32 (float32) arithmetic in integers, on bits: round to nearest even, subnormals, infinities, signed zeros. WGSL promises none
// of these for f32. A number is one word: the sign, the 8 bits of the exponent field (the exponent plus 127), and the 23 bits of the
// fraction. A NaN result is QUIET_NAN. The Rust twin is tests/rust/twins/strict_float.rs.

const QUIET_NAN: u32 = 0x7fc00000u;
const INFINITY: u32 = 0x7f800000u;
const SIGN: u32 = 0x80000000u;

fn is_nan(bits: u32) -> bool {
    return (bits & 0x7fffffffu) > INFINITY;
}

// x shifted right by `by` bits, fewer than 32. The lowest bit records whether a set bit was shifted out (sticky).
fn shift_right_sticky(x: u32, by: u32) -> u32 {
    if (by == 0u) {
        return x;
    }
    return (x >> by) | select(0u, 1u, (x << (32u - by)) != 0u);
}

// The bits of the float nearest to significand · 2^(exponent - 127 - 31), ties to even. The significand's bit 31 is set. `sign` is 0 or
// SIGN. The result keeps 24 bits, so the significand's lowest eight bits decide the rounding.
fn round_pack(sign: u32, exponent: i32, significand: u32) -> u32 {
    var x = significand;
    var base = 0u;
    // Below the normal numbers the significand loses more bits, and the exponent field stays 0.
    if (exponent <= 0) {
        x = shift_right_sticky(x, u32(min(1 - exponent, 31)));
    } else {
        // One less: the significand's top bit overlaps the lowest bit of the exponent field, so the addition of the significand adds
        // one.
        base = u32(min(exponent, 255) - 1) << 23u;
    }
    let below = x & 0xffu;
    var kept = x >> 8u;
    if (below > 0x80u || (below == 0x80u && (kept & 1u) == 1u)) {
        kept += 1u;
    }
    // A round-up may carry into the exponent field: the result is then the next power of two, or infinity.
    return sign | min(base + kept, INFINITY);
}

fn strict_add(a: u32, b: u32) -> u32 {
    if (is_nan(a) || is_nan(b)) {
        return QUIET_NAN;
    }
    let swap = (a & 0x7fffffffu) < (b & 0x7fffffffu);
    let large = select(a, b, swap);
    let small = select(b, a, swap);
    let sign = large & SIGN;
    let opposite = ((large ^ small) & SIGN) != 0u;
    if ((large & 0x7fffffffu) == INFINITY) {
        return select(large, QUIET_NAN, opposite && (small & 0x7fffffffu) == INFINITY);
    }
    let field_large = (large >> 23u) & 0xffu;
    let field_small = (small >> 23u) & 0xffu;
    // Both move left by six bits, so that the rounding sees the bits that the smaller one loses to alignment. Two bits would suffice,
    // and the sum needs one bit of room above. Normal numbers have a top bit that is not stored.
    let x = ((large & 0x7fffffu) | select(0u, 0x800000u, field_large != 0u)) << 6u;
    let y = ((small & 0x7fffffu) | select(0u, 0x800000u, field_small != 0u)) << 6u;
    // Subnormal numbers have the exponent of field 1.
    let distance = min(max(field_large, 1u) - max(field_small, 1u), 31u);
    let aligned = shift_right_sticky(y, distance);
    let sum = select(x + aligned, x - aligned, opposite);
    if (sum == 0u) {
        // Equal magnitudes cancel to +0; two zeros of one sign keep it.
        return select(sign, 0u, opposite);
    }
    // The last place of `large` is now 2^6, and round_pack has it at 2^8: hence the 2.
    let shift = countLeadingZeros(sum);
    return round_pack(sign, i32(max(field_large, 1u)) + 2 - i32(shift), sum << shift);
}

// The magnitude significand · 2^(exponent - 127 - 23).
struct Unpacked {
    exponent: i32,
    significand: u32, // bit 23 set
}

// Splits a finite nonzero number into significand and exponent.
fn unpack(bits: u32) -> Unpacked {
    let field = (bits >> 23u) & 0xffu;
    let fraction = bits & 0x7fffffu;
    if (field != 0u) {
        return Unpacked(i32(field), fraction | 0x800000u);
    }
    // A subnormal number has the exponent of field 1. Its top bit moves to bit 23.
    let shift = countLeadingZeros(fraction) - 8u;
    return Unpacked(1 - i32(shift), fraction << shift);
}

fn strict_multiply(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & SIGN;
    let magnitude_a = a & 0x7fffffffu;
    let magnitude_b = b & 0x7fffffffu;
    if (magnitude_a >= INFINITY || magnitude_b >= INFINITY) {
        // ∞ · 0 is NaN.
        let invalid = is_nan(a) || is_nan(b) || magnitude_a == 0u || magnitude_b == 0u;
        return select(sign | INFINITY, QUIET_NAN, invalid);
    }
    if (magnitude_a == 0u || magnitude_b == 0u) {
        return sign;
    }
    let x = unpack(a);
    let y = unpack(b);
    // 24 × 24 bits by halves of 12: the product is high · 2^24 + low.
    let x_high = x.significand >> 12u;
    let x_low = x.significand & 0xfffu;
    let y_high = y.significand >> 12u;
    let y_low = y.significand & 0xfffu;
    let middle = x_high * y_low + x_low * y_high;
    let partial = x_low * y_low + ((middle & 0xfffu) << 12u);
    let high = x_high * y_high + (middle >> 12u) + (partial >> 24u);
    let low = partial & 0xffffffu;
    // The product has 47 or 48 bits. `high` has 23 or 24 of them, and the top eight bits of `low` make 31 or 32. The lowest bit also
    // records whether the rest of `low` has a set bit.
    let product = (high << 8u) | (low >> 16u) | select(0u, 1u, (low & 0xffffu) != 0u);
    // x · y is product · 2^16 · 2^(x.exponent + y.exponent - 2 · (127 + 23)). round_pack takes 2^(exponent - 127 - 31).
    let exponent = x.exponent + y.exponent - 126;
    if ((product & SIGN) != 0u) {
        return round_pack(sign, exponent, product);
    }
    // 31 bits: the product moves left by one, with one more bit of `low`. The lowest bit is computed again.
    let shifted = (high << 9u) | (low >> 15u) | select(0u, 1u, (low & 0x7fffu) != 0u);
    return round_pack(sign, exponent - 1, shifted);
}
