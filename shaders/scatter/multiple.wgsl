// A float added many times, in closed form: `multiple(before, scalar, count)` is before + count · scalar, if no addition of the loop rounds.
//
// Let u be a power of two, before = ±V · u and scalar = ±S · u, with whole V and S. Each partial sum is a whole multiple of u. If
// V + count · S is at most 2^p, where p is the number of bits of a significand, then so is each multiple, and a float has it: u is not
// below the least subnormal number. So every addition is exact, and so is their sum. A sum that overflows is infinite in the loop too.
// A sum of 0 is +0: its last addition was x + (-x).
#import update

struct Multiple {
    is_exact: bool,
    value: Element,
}

#ifdef FLOAT64
#import strict_double

fn trailing_zeros(x: vec2<u32>) -> u32 {
    return select(countTrailingZeros(x.x), 32u + countTrailingZeros(x.y), x.x == 0u);
}

fn multiple(before: Element, scalar: Element, count: u32) -> Multiple {
    let fields = vec2<u32>(double_field(before), double_field(scalar));
    let none = Multiple(false, before);
    let scalar_whole = double_significand(scalar);
    if (max(fields.x, fields.y) == 0x7ffu || (scalar_whole.x | scalar_whole.y) == 0u) {
        return none;
    }
    // Odd numbers, and the exponents of their units.
    let whole = double_significand(before);
    let is_zero = (whole.x | whole.y) == 0u;
    let zeros = vec2<u32>(select(trailing_zeros(whole), 0u, is_zero), trailing_zeros(scalar_whole));
    let odd = wide_shift_right(whole, zeros.x);
    let scalar_odd = wide_shift_right(scalar_whole, zeros.y);
    let unit_of_scalar = max(fields.y, 1u) + zeros.y;
    let unit_of_before = select(max(fields.x, 1u) + zeros.x, unit_of_scalar, is_zero);
    let unit = min(unit_of_before, unit_of_scalar);
    let shifts = vec2<u32>(unit_of_before, unit_of_scalar) - unit;
    // V below 2^54 and S below 2^32, so that nothing below overflows.
    if (shifts.x > 53u || shifts.y > 31u || wide_leading_zeros(odd) < shifts.x + 10u || wide_leading_zeros(scalar_odd) < shifts.y + 32u) {
        return none;
    }
    let v = wide_shift_left(odd, shifts.x);
    let added = wide_product(wide_shift_left(scalar_odd, shifts.y).x, count);
    let limit = vec2<u32>(0u, 1u << 21u);
    if (added.y > limit.y || wide_less(limit, wide_add(v, added))) {
        return none;
    }
    let scalar_sign = scalar.y & DOUBLE_SIGN;
    var sign = scalar_sign;
    var sum = wide_add(v, added);
    if ((before.y & DOUBLE_SIGN) != scalar_sign) {
        let is_less = wide_less(v, added);
        sign = select(before.y & DOUBLE_SIGN, scalar_sign, is_less);
        sum = select(wide_subtract(v, added), wide_subtract(added, v), is_less);
    }
    if ((sum.x | sum.y) == 0u) {
        return Multiple(true, vec2<u32>(0u, 0u));
    }
    let shift = wide_leading_zeros(sum);
    return Multiple(true, double_round_pack(sign, i32(unit + 11u) - i32(shift), wide_shift_left(sum, shift)));
}
#else
// FRACTION_BITS and FRACTION are those of repeat.wgsl.
const FIELD: u32 = (ELEMENT_MASK >> 1u) >> FRACTION_BITS; // the exponent field of infinities and NaN
const SIGN_BIT: u32 = ELEMENT_MASK - (ELEMENT_MASK >> 1u);

fn field_of(x: u32) -> u32 {
    return (x >> FRACTION_BITS) & FIELD;
}

fn whole_of(x: u32) -> u32 {
    return (x & FRACTION) | select(0u, FRACTION + 1u, field_of(x) != 0u);
}

fn multiple(before: Element, scalar: Element, count: u32) -> Multiple {
    let none = Multiple(false, before);
    let scalar_whole = whole_of(scalar);
    if (max(field_of(before), field_of(scalar)) == FIELD || scalar_whole == 0u) {
        return none;
    }
    // Odd numbers, and the exponents of their units.
    let whole = whole_of(before);
    let zeros = vec2<u32>(select(countTrailingZeros(whole), 0u, whole == 0u), countTrailingZeros(scalar_whole));
    let odd = vec2<u32>(whole, scalar_whole) >> zeros;
    let unit_of_scalar = max(field_of(scalar), 1u) + zeros.y;
    let unit_of_before = select(max(field_of(before), 1u) + zeros.x, unit_of_scalar, whole == 0u);
    let unit = min(unit_of_before, unit_of_scalar);
    let shifts = vec2<u32>(unit_of_before, unit_of_scalar) - unit;
    // Both below 2^31.
    if (any(shifts > vec2<u32>(30u)) || any(countLeadingZeros(odd) < shifts + 1u)) {
        return none;
    }
    let both = odd << shifts;
    let limit = 2u << FRACTION_BITS;
    if (both.x > limit || count > (limit - both.x) / both.y) {
        return none;
    }
    let added = both.y * count;
    var sign = scalar & SIGN_BIT;
    var sum = both.x + added;
    if ((before & SIGN_BIT) != sign) {
        sum = max(both.x, added) - min(both.x, added);
        sign = select(sign, before & SIGN_BIT, both.x > added);
    }
    if (sum == 0u) {
        return Multiple(true, 0u);
    }
    // The exponent field if the top bit is the hidden one; 1 for subnormal numbers too.
    let field = max(i32(unit) + 31 - i32(countLeadingZeros(sum)) - i32(FRACTION_BITS), 1);
    if (field >= i32(FIELD)) {
        return Multiple(true, sign | (FIELD << FRACTION_BITS));
    }
    // The sum moves to the left, but 2^p moves to the right by one.
    let shift = i32(unit) - field;
    let moved = select(sum << u32(max(shift, 0)), sum >> 1u, shift < 0);
    // A hidden bit adds 1 to the field.
    return Multiple(true, sign | (moved + (u32(field - 1) << FRACTION_BITS)));
}
#endif
