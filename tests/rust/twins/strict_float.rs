//! The Rust twin of `shaders/lib/strict_float.wgsl`: float32 arithmetic in integers, on bits, rounded to nearest even. The same functions,
//! line by line, so that millions of pairs can be tried against the CPU's own arithmetic. A change there is a change here, and the
//! shader's comments say more of each step. Any NaN that comes out is `QUIET_NAN`.

const QUIET_NAN: u32 = 0x7fc0_0000;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 0x8000_0000;

fn is_nan(bits: u32) -> bool {
    (bits & 0x7fff_ffff) > INFINITY
}

/// x shifted right by so many bits, fewer than 32, with a lowest bit that remembers whether a bit that was set was shifted out.
fn shift_right_sticky(x: u32, by: u32) -> u32 {
    if by == 0 {
        return x;
    }
    (x >> by) | u32::from((x << (32 - by)) != 0)
}

/// The bits of the float nearest to significand · 2^(exponent − 127 − 31), in a tie the even one; the significand's bit 31 is set. `sign`
/// is 0 or `SIGN`. The result keeps 24 bits, so the eight lowest bits of the significand decide the rounding.
fn round_pack(sign: u32, exponent: i32, significand: u32) -> u32 {
    let mut x = significand;
    let mut base = 0;
    // Below the normal numbers the significand loses more bits, and the exponent field stays 0.
    if exponent <= 0 {
        x = shift_right_sticky(x, (1 - exponent).min(31) as u32);
    } else {
        // One less, since adding the significand, whose top bit is in the lowest place of the exponent field, adds one.
        base = ((exponent.min(255) - 1) as u32) << 23;
    }
    let below = x & 0xff;
    let mut kept = x >> 8;
    if below > 0x80 || (below == 0x80 && (kept & 1) == 1) {
        kept += 1;
    }
    // Rounding up may carry into the exponent field, where it makes the next power of two, or infinity.
    sign | (base + kept).min(INFINITY)
}

/// a + b.
pub(crate) fn strict_add(a: u32, b: u32) -> u32 {
    if is_nan(a) || is_nan(b) {
        return QUIET_NAN;
    }
    let swap = (a & 0x7fff_ffff) < (b & 0x7fff_ffff);
    let (large, small) = if swap { (b, a) } else { (a, b) };
    let sign = large & SIGN;
    let opposite = ((large ^ small) & SIGN) != 0;
    if (large & 0x7fff_ffff) == INFINITY {
        return if opposite && (small & 0x7fff_ffff) == INFINITY { QUIET_NAN } else { large };
    }
    let field_large = (large >> 23) & 0xff;
    let field_small = (small >> 23) & 0xff;
    // Both move left by six bits, so the bits that the smaller one loses to alignment still count for the rounding.
    let x = ((large & 0x7f_ffff) | if field_large != 0 { 0x80_0000 } else { 0 }) << 6;
    let y = ((small & 0x7f_ffff) | if field_small != 0 { 0x80_0000 } else { 0 }) << 6;
    // Subnormal numbers have the exponent of field 1.
    let distance = (field_large.max(1) - field_small.max(1)).min(31);
    let aligned = shift_right_sticky(y, distance);
    let sum = if opposite { x - aligned } else { x + aligned };
    // Equal magnitudes cancel to +0; two zeros of one sign keep it.
    if sum == 0 {
        return if opposite { 0 } else { sign };
    }
    // The last place of `large` is now 2^6, and `round_pack` has it at 2^8: hence the 2.
    let shift = sum.leading_zeros();
    round_pack(sign, field_large.max(1) as i32 + 2 - shift as i32, sum << shift)
}

/// The magnitude significand · 2^(exponent − 127 − 23).
struct Unpacked {
    exponent: i32,
    /// Bit 23 is set.
    significand: u32,
}

/// Takes the magnitude of a finite number that is not zero apart.
fn unpack(bits: u32) -> Unpacked {
    let field = (bits >> 23) & 0xff;
    let fraction = bits & 0x7f_ffff;
    if field != 0 {
        return Unpacked { exponent: field as i32, significand: fraction | 0x80_0000 };
    }
    // A subnormal number has the exponent of field 1. Its top bit moves to bit 23.
    let shift = fraction.leading_zeros() - 8;
    Unpacked { exponent: 1 - shift as i32, significand: fraction << shift }
}

/// a · b.
pub(crate) fn strict_multiply(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & SIGN;
    let magnitude_a = a & 0x7fff_ffff;
    let magnitude_b = b & 0x7fff_ffff;
    if magnitude_a >= INFINITY || magnitude_b >= INFINITY {
        // ∞ · 0 is NaN.
        let invalid = is_nan(a) || is_nan(b) || magnitude_a == 0 || magnitude_b == 0;
        return if invalid { QUIET_NAN } else { sign | INFINITY };
    }
    if magnitude_a == 0 || magnitude_b == 0 {
        return sign;
    }
    let x = unpack(a);
    let y = unpack(b);
    // 24 × 24 bits by halves of 12: the product is high · 2^24 + low.
    let x_high = x.significand >> 12;
    let x_low = x.significand & 0xfff;
    let y_high = y.significand >> 12;
    let y_low = y.significand & 0xfff;
    let middle = x_high * y_low + x_low * y_high;
    let partial = x_low * y_low + ((middle & 0xfff) << 12);
    let high = x_high * y_high + (middle >> 12) + (partial >> 24);
    let low = partial & 0xff_ffff;
    // `high` and the top eight bits of `low`. The lowest one is also set if the rest of `low` has any bit.
    let product = (high << 8) | (low >> 16) | u32::from((low & 0xffff) != 0);
    // x · y is product · 2^16 · 2^(x.exponent + y.exponent - 2 · (127 + 23)), and `round_pack` takes 2^(exponent - 127 - 31).
    let exponent = x.exponent + y.exponent - 126;
    if (product & SIGN) != 0 {
        return round_pack(sign, exponent, product);
    }
    // 31 bits: the product moves left by one, with one more bit of `low`.
    let shifted = (high << 9) | (low >> 15) | u32::from((low & 0x7fff) != 0);
    round_pack(sign, exponent - 1, shifted)
}
