// binary64 (float64) square root in integers, on bits, rounded to nearest even. Numbers are two words, the low one first.
#import strict_double

// √x. -0 is its own root; DOUBLE_QUIET_NAN below that.
fn strict_double_sqrt(x: vec2<u32>) -> vec2<u32> {
    let magnitude = double_magnitude(x);
    if ((magnitude.x | magnitude.y) == 0u || (x.y == DOUBLE_INFINITY && x.x == 0u)) {
        return x;
    }
    if (x.y >= DOUBLE_INFINITY) {
        return vec2<u32>(0u, DOUBLE_QUIET_NAN); // NaN, or negative: the sign is the top bit
    }
    let number = double_unpack(x);
    var exponent = number.exponent - 1023;
    // 53 of the significand's bits are not 0: none is lost.
    var rest = wide_shift_right(number.significand, 10u);
    // The exponent must be even before it is halved: one factor of 2 moves to the significand.
    if ((exponent & 1) != 0) {
        rest = wide_shift_left(rest, 1u);
        exponent -= 1;
    }
    // 54 bits of the root, digit by digit: `twice` is twice the root so far. float64 keeps 53 of the bits. The other bit and a nonzero
    // rest decide the rounding.
    var root = vec2<u32>(0u, 0u);
    var twice = vec2<u32>(0u, 0u);
    var digit = vec2<u32>(0u, 0x200000u);
    for (var bit = 0u; bit < 54u; bit++) {
        let trial = wide_add(twice, digit);
        if (!wide_less(rest, trial)) {
            twice = wide_add(trial, digit);
            rest = wide_subtract(rest, trial);
            root |= digit;
        }
        rest = wide_shift_left(rest, 1u);
        digit = wide_shift_right(digit, 1u);
    }
    let sticky = vec2<u32>(select(0u, 1u, (rest.x | rest.y) != 0u), 0u);
    return double_round_pack(0u, exponent / 2 + 1023, wide_shift_left(root, 10u) | sticky);
}
