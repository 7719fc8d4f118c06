// binary64 (float64) arithmetic in integers, on bits, like strict_float.wgsl for binary32: round to nearest even, subnormals,
// infinities, signed zeros. WGSL has no f64. A number is two words, the low one first: .x has the low 32 bits of the fraction; .y has
// the sign, the 11 bits of the exponent field, and the top 20 bits of the fraction. A NaN result is DOUBLE_QUIET_NAN. The Rust twin is
// tests/rust/twins/strict_double.rs.
#import wide

// High words, and parts of them.
const DOUBLE_SIGN: u32 = 0x80000000u;
const DOUBLE_INFINITY: u32 = 0x7ff00000u;
const DOUBLE_QUIET_NAN: u32 = 0x7ff80000u;
const DOUBLE_FRACTION: u32 = 0xfffffu;
const DOUBLE_HIDDEN: u32 = 0x100000u; // the significand's top bit, which normal numbers have and do not store

fn double_magnitude(bits: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(bits.x, bits.y & 0x7fffffffu);
}

fn double_is_nan(bits: vec2<u32>) -> bool {
    return wide_less(vec2<u32>(0u, DOUBLE_INFINITY), double_magnitude(bits));
}

// The exponent field: the exponent plus 1023; 0 for subnormals and zeros, 0x7ff for infinities and NaN.
fn double_field(bits: vec2<u32>) -> u32 {
    return (bits.y >> 20u) & 0x7ffu;
}

// The significand as a whole number: the fraction, and bit 52 unless the number is subnormal or zero.
fn double_significand(bits: vec2<u32>) -> vec2<u32> {
    let hidden = select(0u, DOUBLE_HIDDEN, double_field(bits) != 0u);
    return vec2<u32>(bits.x, (bits.y & DOUBLE_FRACTION) | hidden);
}

// The bits of the number nearest to significand · 2^(exponent - 1023 - 63), ties to even. The significand's bit 63 is set. `sign` is 0
// or DOUBLE_SIGN. The result keeps 53 bits, so the significand's lowest eleven bits decide the rounding.
fn double_round_pack(sign: u32, exponent: i32, significand: vec2<u32>) -> vec2<u32> {
    var x = significand;
    var base = 0u;
    // Below the normal numbers the significand loses more bits, and the exponent field stays 0.
    if (exponent <= 0) {
        x = wide_shift_right_sticky(x, u32(min(1 - exponent, 63)));
    } else {
        // One less: the significand's top bit overlaps the lowest bit of the exponent field, so the addition of the significand adds
        // one.
        base = u32(min(exponent, 2047) - 1) << 20u;
    }
    let below = x.x & 0x7ffu;
    var kept = vec2<u32>((x.x >> 11u) | (x.y << 21u), x.y >> 11u);
    if (below > 0x400u || (below == 0x400u && (kept.x & 1u) == 1u)) {
        kept = wide_add(kept, vec2<u32>(1u, 0u));
    }
    // A round-up may carry into the exponent field: the result is then the next power of two, or infinity.
    if (base + kept.y >= DOUBLE_INFINITY) {
        return vec2<u32>(0u, sign | DOUBLE_INFINITY);
    }
    return vec2<u32>(kept.x, sign | (base + kept.y));
}

fn strict_double_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if (double_is_nan(a) || double_is_nan(b)) {
        return vec2<u32>(0u, DOUBLE_QUIET_NAN);
    }
    var large = a;
    var small = b;
    if (wide_less(double_magnitude(a), double_magnitude(b))) {
        large = b;
        small = a;
    }
    let sign = large.y & DOUBLE_SIGN;
    let opposite = ((large.y ^ small.y) & DOUBLE_SIGN) != 0u;
    if (double_field(large) == 0x7ffu) {
        let invalid = opposite && double_field(small) == 0x7ffu;
        return vec2<u32>(0u, select(large.y, DOUBLE_QUIET_NAN, invalid));
    }
    // Subnormal numbers have the exponent of field 1.
    let field_large = max(double_field(large), 1u);
    let field_small = max(double_field(small), 1u);
    // Both move left by nine bits, so that the rounding sees the bits that the smaller one loses to alignment. Two bits would suffice,
    // and the sum needs one bit of room above.
    let x = wide_shift_left(double_significand(large), 9u);
    let y = wide_shift_left(double_significand(small), 9u);
    let aligned = wide_shift_right_sticky(y, min(field_large - field_small, 63u));
    var sum = wide_add(x, aligned);
    if (opposite) {
        sum = wide_subtract(x, aligned);
    }
    if ((sum.x | sum.y) == 0u) {
        // Equal magnitudes cancel to +0; two zeros of one sign keep it.
        return vec2<u32>(0u, select(sign, 0u, opposite));
    }
    // The last place of `large` is now 2^9, and round_pack has it at 2^11: hence the 2.
    let shift = wide_leading_zeros(sum);
    return double_round_pack(sign, i32(field_large) + 2 - i32(shift), wide_shift_left(sum, shift));
}

// The magnitude significand · 2^(exponent - 1023 - 63).
struct UnpackedDouble {
    exponent: i32,
    significand: vec2<u32>, // bit 63 set
}

// Splits a finite nonzero number into significand and exponent.
fn double_unpack(bits: vec2<u32>) -> UnpackedDouble {
    let significand = double_significand(bits);
    let shift = wide_leading_zeros(significand);
    // A normal number moves by 11 bits and keeps its exponent field. A subnormal number has the exponent of field 1.
    let exponent = i32(max(double_field(bits), 1u)) + 11 - i32(shift);
    return UnpackedDouble(exponent, wide_shift_left(significand, shift));
}

fn strict_double_multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & DOUBLE_SIGN;
    let magnitude_a = double_magnitude(a);
    let magnitude_b = double_magnitude(b);
    let has_zero = (magnitude_a.x | magnitude_a.y) == 0u || (magnitude_b.x | magnitude_b.y) == 0u;
    if (magnitude_a.y >= DOUBLE_INFINITY || magnitude_b.y >= DOUBLE_INFINITY) {
        let invalid = double_is_nan(a) || double_is_nan(b) || has_zero; // ∞ · 0 is NaN
        return vec2<u32>(0u, select(sign | DOUBLE_INFINITY, DOUBLE_QUIET_NAN, invalid));
    }
    if (has_zero) {
        return vec2<u32>(0u, sign);
    }
    let x = double_unpack(a);
    let y = double_unpack(b);
    // 64 × 64 bits by words: the product is high · 2^64 + middle.x · 2^32 + low.x.
    let low = wide_product(x.significand.x, y.significand.x);
    let cross = wide_product(x.significand.y, y.significand.x);
    let other = wide_product(x.significand.x, y.significand.y);
    let top = wide_product(x.significand.y, y.significand.y);
    // No sum exceeds 64 bits: each is part of a product of one word and two, or of two and two.
    let partial = wide_add(cross, vec2<u32>(low.y, 0u));
    let middle = wide_add(other, vec2<u32>(partial.x, 0u));
    let high = wide_add(wide_add(top, vec2<u32>(partial.y, 0u)), vec2<u32>(middle.y, 0u));
    // The product has 127 or 128 bits. `high` is its upper half, and its lowest bit records whether the lower half has a set bit. (x ·
    // y) / 2^64 has the exponent x.exponent + y.exponent - 1023 - 63 + 64.
    let exponent = x.exponent + y.exponent - 1022;
    if ((high.y & DOUBLE_SIGN) != 0u) {
        let sticky = select(0u, 1u, (middle.x | low.x) != 0u);
        return double_round_pack(sign, exponent, vec2<u32>(high.x | sticky, high.y));
    }
    // 127 bits: the product moves left by one, with the top bit of `middle`. The lowest bit is computed again.
    let shifted = vec2<u32>((high.x << 1u) | (middle.x >> 31u), (high.y << 1u) | (high.x >> 31u));
    let rest = select(0u, 1u, ((middle.x << 1u) | low.x) != 0u);
    return double_round_pack(sign, exponent - 1, vec2<u32>(shifted.x | rest, shifted.y));
}
