//! The Rust twin of `shaders/lib/strict_float.wgsl`: the same functions, line by line, so that millions of
//! pairs can be tried against the CPU's own arithmetic. A change there is a change here.

const QUIET_NAN: u32 = 0x7fc0_0000;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 0x8000_0000;

fn is_nan(bits: u32) -> bool {
    (bits & 0x7fff_ffff) > INFINITY
}

fn shift_right_sticky(x: u32, by: u32) -> u32 {
    if by == 0 {
        return x;
    }
    (x >> by) | u32::from((x << (32 - by)) != 0)
}

fn round_pack(sign: u32, exponent: i32, significand: u32) -> u32 {
    let mut x = significand;
    let mut base = 0;
    if exponent <= 0 {
        x = shift_right_sticky(x, (1 - exponent).min(31) as u32);
    } else {
        base = ((exponent.min(255) - 1) as u32) << 23;
    }
    let below = x & 0xff;
    let mut kept = x >> 8;
    if below > 0x80 || (below == 0x80 && (kept & 1) == 1) {
        kept += 1;
    }
    sign | (base + kept).min(INFINITY)
}

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
    let x = ((large & 0x7f_ffff) | if field_large != 0 { 0x80_0000 } else { 0 }) << 6;
    let y = ((small & 0x7f_ffff) | if field_small != 0 { 0x80_0000 } else { 0 }) << 6;
    let distance = (field_large.max(1) - field_small.max(1)).min(31);
    let aligned = shift_right_sticky(y, distance);
    let sum = if opposite { x - aligned } else { x + aligned };
    if sum == 0 {
        return if opposite { 0 } else { sign };
    }
    let shift = sum.leading_zeros();
    round_pack(sign, field_large.max(1) as i32 + 2 - shift as i32, sum << shift)
}

struct Unpacked {
    exponent: i32,
    significand: u32,
}

fn unpack(bits: u32) -> Unpacked {
    let field = (bits >> 23) & 0xff;
    let fraction = bits & 0x7f_ffff;
    if field != 0 {
        return Unpacked { exponent: field as i32, significand: fraction | 0x80_0000 };
    }
    let shift = fraction.leading_zeros() - 8;
    Unpacked { exponent: 1 - shift as i32, significand: fraction << shift }
}

pub(crate) fn strict_multiply(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & SIGN;
    let magnitude_a = a & 0x7fff_ffff;
    let magnitude_b = b & 0x7fff_ffff;
    if magnitude_a >= INFINITY || magnitude_b >= INFINITY {
        let invalid = is_nan(a) || is_nan(b) || magnitude_a == 0 || magnitude_b == 0;
        return if invalid { QUIET_NAN } else { sign | INFINITY };
    }
    if magnitude_a == 0 || magnitude_b == 0 {
        return sign;
    }
    let x = unpack(a);
    let y = unpack(b);
    let x_high = x.significand >> 12;
    let x_low = x.significand & 0xfff;
    let y_high = y.significand >> 12;
    let y_low = y.significand & 0xfff;
    let middle = x_high * y_low + x_low * y_high;
    let partial = x_low * y_low + ((middle & 0xfff) << 12);
    let high = x_high * y_high + (middle >> 12) + (partial >> 24);
    let low = partial & 0xff_ffff;
    let product = (high << 8) | (low >> 16) | u32::from((low & 0xffff) != 0);
    let exponent = x.exponent + y.exponent - 126;
    if (product & SIGN) != 0 {
        return round_pack(sign, exponent, product);
    }
    let shifted = (high << 9) | (low >> 15) | u32::from((low & 0x7fff) != 0);
    round_pack(sign, exponent - 1, shifted)
}
