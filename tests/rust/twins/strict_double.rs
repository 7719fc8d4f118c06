//! The Rust twin of `wide.wgsl`, `wide_divide.wgsl`, `strict_double.wgsl`, `strict_double_divide.wgsl`, `strict_double_sqrt.wgsl` and
//! `round_double.wgsl` in `shaders/lib/`: the same functions, line by line, so that millions of pairs can be tried without a GPU. A change there is a change here.

/// 64 bits: an unsigned integer, or a float64.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wide {
    /// The low word.
    pub(crate) x: u32,
    /// The high word.
    pub(crate) y: u32,
}

pub(crate) const fn wide(x: u32, y: u32) -> Wide {
    Wide { x, y }
}

fn wide_less(a: Wide, b: Wide) -> bool {
    a.y < b.y || (a.y == b.y && a.x < b.x)
}

fn wide_add(a: Wide, b: Wide) -> Wide {
    let low = a.x.wrapping_add(b.x);
    wide(low, a.y.wrapping_add(b.y).wrapping_add(u32::from(low < a.x)))
}

fn wide_subtract(a: Wide, b: Wide) -> Wide {
    wide(a.x.wrapping_sub(b.x), a.y.wrapping_sub(b.y).wrapping_sub(u32::from(a.x < b.x)))
}

/// `by` is below 64.
fn wide_shift_left(a: Wide, by: u32) -> Wide {
    if by >= 32 {
        return wide(0, a.x << (by - 32));
    }
    if by == 0 {
        return a;
    }
    wide(a.x << by, (a.y << by) | (a.x >> (32 - by)))
}

/// `by` is below 64.
fn wide_shift_right(a: Wide, by: u32) -> Wide {
    if by >= 32 {
        return wide(a.y >> (by - 32), 0);
    }
    if by == 0 {
        return a;
    }
    wide((a.x >> by) | (a.y << (32 - by)), a.y >> by)
}

/// Shifted right, with a lowest bit that remembers whether a bit that was set was shifted out. `by` is below 64.
fn wide_shift_right_sticky(a: Wide, by: u32) -> Wide {
    if by == 0 {
        return a;
    }
    let lost = wide_shift_left(a, 64 - by);
    let kept = wide_shift_right(a, by);
    wide(kept.x | u32::from((lost.x | lost.y) != 0), kept.y)
}

fn wide_leading_zeros(a: Wide) -> u32 {
    if a.y == 0 { 32 + a.x.leading_zeros() } else { a.y.leading_zeros() }
}

/// All 64 bits of the product of two words, by halves of 16 bits: no sum below exceeds 32 bits.
fn wide_product(a: u32, b: u32) -> Wide {
    let (a_low, a_high) = (a & 0xffff, a >> 16);
    let (b_low, b_high) = (b & 0xffff, b >> 16);
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 16);
    let other = a_low * b_high + (middle & 0xffff);
    wide((other << 16) | (low & 0xffff), a_high * b_high + (middle >> 16) + (other >> 16))
}

// High words of float64, and parts of them.

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7ff0_0000;
const QUIET_NAN: u32 = 0x7ff8_0000;
const FRACTION: u32 = 0xf_ffff;
/// The significand's top bit, which normal numbers have and do not store.
const HIDDEN: u32 = 0x10_0000;

/// |x|.
fn double_magnitude(bits: Wide) -> Wide {
    wide(bits.x, bits.y & 0x7fff_ffff)
}

fn double_is_nan(bits: Wide) -> bool {
    wide_less(wide(0, INFINITY), double_magnitude(bits))
}

/// The exponent field: the exponent plus 1023; 0 for subnormals and zeros, 0x7ff for infinities and NaN.
fn double_field(bits: Wide) -> u32 {
    (bits.y >> 20) & 0x7ff
}

/// The significand as a whole number: the fraction, and bit 52 unless the number is subnormal or zero.
fn double_significand(bits: Wide) -> Wide {
    let hidden = if double_field(bits) != 0 { HIDDEN } else { 0 };
    wide(bits.x, (bits.y & FRACTION) | hidden)
}

/// The bits of the number nearest to significand · 2^(exponent − 1023 − 63), in a tie the even one; the significand's bit 63 is set.
/// `sign` is 0 or `SIGN`. The result keeps 53 bits, so the eleven lowest bits of the significand decide the rounding.
fn double_round_pack(sign: u32, exponent: i32, significand: Wide) -> Wide {
    let mut x = significand;
    let mut base = 0;
    // Below the normal numbers the significand loses more bits, and the exponent field stays 0.
    if exponent <= 0 {
        x = wide_shift_right_sticky(x, (1 - exponent).min(63) as u32);
    } else {
        // One less, since adding the significand, whose top bit is in the lowest place of the exponent field, adds one.
        base = ((exponent.min(2047) - 1) as u32) << 20;
    }
    let below = x.x & 0x7ff;
    let mut kept = wide((x.x >> 11) | (x.y << 21), x.y >> 11);
    if below > 0x400 || (below == 0x400 && (kept.x & 1) == 1) {
        kept = wide_add(kept, wide(1, 0));
    }
    // Rounding up may carry into the exponent field, where it makes the next power of two, or infinity.
    if base + kept.y >= INFINITY {
        return wide(0, sign | INFINITY);
    }
    wide(kept.x, sign | (base + kept.y))
}

/// a + b.
pub(crate) fn strict_double_add(a: Wide, b: Wide) -> Wide {
    if double_is_nan(a) || double_is_nan(b) {
        return wide(0, QUIET_NAN);
    }
    let (mut large, mut small) = (a, b);
    if wide_less(double_magnitude(a), double_magnitude(b)) {
        large = b;
        small = a;
    }
    let sign = large.y & SIGN;
    let opposite = ((large.y ^ small.y) & SIGN) != 0;
    if double_field(large) == 0x7ff {
        let invalid = opposite && double_field(small) == 0x7ff;
        return wide(0, if invalid { QUIET_NAN } else { large.y });
    }
    // Subnormal numbers have the exponent of field 1.
    let field_large = double_field(large).max(1);
    let field_small = double_field(small).max(1);
    // Both move left by nine bits, so the bits that the smaller one loses to alignment still count for the rounding.
    let x = wide_shift_left(double_significand(large), 9);
    let y = wide_shift_left(double_significand(small), 9);
    let aligned = wide_shift_right_sticky(y, (field_large - field_small).min(63));
    let mut sum = wide_add(x, aligned);
    if opposite {
        sum = wide_subtract(x, aligned);
    }
    // Equal magnitudes cancel to +0; two zeros of one sign keep it.
    if (sum.x | sum.y) == 0 {
        return wide(0, if opposite { 0 } else { sign });
    }
    // The last place of `large` is now 2^9, and `double_round_pack` has it at 2^11: hence the 2.
    let shift = wide_leading_zeros(sum);
    double_round_pack(sign, field_large as i32 + 2 - shift as i32, wide_shift_left(sum, shift))
}

/// The magnitude significand · 2^(exponent − 1023 − 63).
struct UnpackedDouble {
    exponent: i32,
    /// Bit 63 is set.
    significand: Wide,
}

/// Takes the magnitude of a finite number that is not zero apart.
fn double_unpack(bits: Wide) -> UnpackedDouble {
    let significand = double_significand(bits);
    let shift = wide_leading_zeros(significand);
    // A normal number is shifted by 11, and keeps its exponent field; a subnormal one has the exponent of field 1.
    let exponent = double_field(bits).max(1) as i32 + 11 - shift as i32;
    UnpackedDouble { exponent, significand: wide_shift_left(significand, shift) }
}

/// a · b.
pub(crate) fn strict_double_multiply(a: Wide, b: Wide) -> Wide {
    let sign = (a.y ^ b.y) & SIGN;
    let magnitude_a = double_magnitude(a);
    let magnitude_b = double_magnitude(b);
    let has_zero = (magnitude_a.x | magnitude_a.y) == 0 || (magnitude_b.x | magnitude_b.y) == 0;
    if magnitude_a.y >= INFINITY || magnitude_b.y >= INFINITY {
        let invalid = double_is_nan(a) || double_is_nan(b) || has_zero; // ∞ · 0 is NaN
        return wide(0, if invalid { QUIET_NAN } else { sign | INFINITY });
    }
    if has_zero {
        return wide(0, sign);
    }
    let x = double_unpack(a);
    let y = double_unpack(b);
    // 64 × 64 bits by words: the product is high · 2^64 + middle.x · 2^32 + low.x.
    let low = wide_product(x.significand.x, y.significand.x);
    let cross = wide_product(x.significand.y, y.significand.x);
    let other = wide_product(x.significand.x, y.significand.y);
    let top = wide_product(x.significand.y, y.significand.y);
    let partial = wide_add(cross, wide(low.y, 0));
    let middle = wide_add(other, wide(partial.x, 0));
    let high = wide_add(wide_add(top, wide(partial.y, 0)), wide(middle.y, 0));
    // The product has 127 or 128 bits. `high` is its upper half, and a lowest bit remembers whether the other half has any:
    // (x · y) / 2^64 has the exponent x.exponent + y.exponent - 1023 - 63 + 64.
    let exponent = x.exponent + y.exponent - 1022;
    if (high.y & SIGN) != 0 {
        let sticky = u32::from((middle.x | low.x) != 0);
        return double_round_pack(sign, exponent, wide(high.x | sticky, high.y));
    }
    // 127 bits: the product moves left by one, with the top bit of `middle`.
    let shifted = wide((high.x << 1) | (middle.x >> 31), (high.y << 1) | (high.x >> 31));
    let rest = u32::from(((middle.x << 1) | low.x) != 0);
    double_round_pack(sign, exponent - 1, wide(shifted.x | rest, shifted.y))
}

/// The first `bits` bits, up to 64, of the quotient a / b, with a < 2b: the first bit is the whole part, the others are behind the point.
/// Then a word that is 0 if nothing is left, so that the quotient is exact.
fn wide_quotient(a: Wide, b: Wide, bits: u32) -> (Wide, u32) {
    let mut quotient = wide(0, 0);
    let mut rest = a;
    // `carry` is 1 if the rest, doubled, has more than 64 bits.
    let (mut carry, mut left) = (0, 0);
    for _ in 0..bits {
        quotient = wide_shift_left(quotient, 1);
        if carry != 0 || !wide_less(rest, b) {
            rest = wide_subtract(rest, b);
            quotient.x |= 1;
        }
        left = rest.x | rest.y;
        carry = rest.y >> 31;
        rest = wide_shift_left(rest, 1);
    }
    (quotient, left)
}

/// The whole part of the quotient of unsigned integers, then a word that is 0 if it is exact. b is not 0.
pub(crate) fn wide_divide(a: Wide, b: Wide) -> (Wide, u32) {
    if wide_less(a, b) {
        return (wide(0, 0), a.x | a.y);
    }
    // b moves left until its top bit is where that of a is. Then a < 2b, and the quotient has shift + 1 whole bits.
    let shift = wide_leading_zeros(b) - wide_leading_zeros(a);
    wide_quotient(a, wide_shift_left(b, shift), shift + 1)
}

/// a / b.
pub(crate) fn strict_double_divide(a: Wide, b: Wide) -> Wide {
    let sign = (a.y ^ b.y) & SIGN;
    let magnitude_a = double_magnitude(a);
    let magnitude_b = double_magnitude(b);
    let is_zero_a = (magnitude_a.x | magnitude_a.y) == 0;
    let is_zero_b = (magnitude_b.x | magnitude_b.y) == 0;
    let is_infinite_a = double_field(a) == 0x7ff;
    let is_infinite_b = double_field(b) == 0x7ff;
    if double_is_nan(a) || double_is_nan(b) || (is_zero_a && is_zero_b) || (is_infinite_a && is_infinite_b) {
        return wide(0, QUIET_NAN);
    }
    if is_infinite_a || is_zero_b {
        return wide(0, sign | INFINITY);
    }
    if is_zero_a || is_infinite_b {
        return wide(0, sign);
    }
    let x = double_unpack(a);
    let y = double_unpack(b);
    // Both significands have their top bit set, so the quotient is between 1/2 and 2: of its 56 bits the first or the second is set.
    let (quotient, left) = wide_quotient(x.significand, y.significand, 56);
    let shift = wide_leading_zeros(quotient);
    let mut significand = wide_shift_left(quotient, shift);
    significand.x |= u32::from(left != 0);
    // The quotient counts in units of 2^-55, and `double_round_pack` in units of 2^(-1023 - 63): 1023 + 63 - 55 = 1031.
    double_round_pack(sign, x.exponent - y.exponent + 1031 - shift as i32, significand)
}

/// √x. −0 is its own root; NaN below that.
pub(crate) fn strict_double_sqrt(x: Wide) -> Wide {
    let magnitude = double_magnitude(x);
    if (magnitude.x | magnitude.y) == 0 || (x.y == INFINITY && x.x == 0) {
        return x;
    }
    if x.y >= INFINITY {
        return wide(0, QUIET_NAN); // NaN, or negative: the sign is the top bit
    }
    let number = double_unpack(x);
    let mut exponent = number.exponent - 1023;
    // 53 of the significand's bits are not 0: none is lost.
    let mut rest = wide_shift_right(number.significand, 10);
    // The exponent must be even before it is halved: one factor of 2 moves to the significand.
    if (exponent & 1) != 0 {
        rest = wide_shift_left(rest, 1);
        exponent -= 1;
    }
    // 54 bits of the root, digit by digit: `twice` is twice the root so far.
    let (mut root, mut twice, mut digit) = (wide(0, 0), wide(0, 0), wide(0, 0x20_0000));
    for _ in 0..54 {
        let trial = wide_add(twice, digit);
        if !wide_less(rest, trial) {
            twice = wide_add(trial, digit);
            rest = wide_subtract(rest, trial);
            root = wide(root.x | digit.x, root.y | digit.y);
        }
        rest = wide_shift_left(rest, 1);
        digit = wide_shift_right(digit, 1);
    }
    let mut significand = wide_shift_left(root, 10);
    significand.x |= u32::from((rest.x | rest.y) != 0);
    double_round_pack(0, exponent / 2 + 1023, significand)
}

/// The number nearest to a float64 among those of a float dtype whose exponent and fraction have the given numbers of bits, in a tie
/// the even one; as a float64 again. 11 exponent bits mean float64 itself.
pub(crate) fn rounded(bits: Wide, exponent_bits: u32, fraction_bits: u32) -> Wide {
    let field = double_field(bits);
    let bias = (1 << (exponent_bits - 1)) - 1; // of the dtype, and its largest exponent; that of float64 is 1023
    if exponent_bits == 11 || field == 0x7ff {
        return bits;
    }
    let sign = bits.y & SIGN;
    let magnitude = double_magnitude(bits);
    // How many bits are below the last place. Below the least normal number that does not become smaller.
    let below = 52 - fraction_bits + field.max(1024 - bias) - field;
    if below > 52 {
        // Less than the last place: it is rounded up if it is more than half of that.
        let is_more = below == 53 && (magnitude.x | (magnitude.y & FRACTION)) != 0;
        return wide(0, sign | if is_more { (field + 1) << 20 } else { 0 });
    }
    // With 52 bits below, the last place is the significand's first bit, which is not stored.
    let is_odd = below == 52 || (wide_shift_right(magnitude, below).x & 1) == 1;
    let half = wide_shift_left(wide(1, 0), below - 1);
    let up = if is_odd { half } else { wide_subtract(half, wide(1, 0)) };
    // A carry into the exponent is right.
    let near = wide_shift_left(wide_shift_right(wide_add(magnitude, up), below), below);
    if double_field(near) > 1023 + bias { wide(0, sign | INFINITY) } else { wide(near.x, sign | near.y) }
}
