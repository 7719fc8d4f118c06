// The mean of float16 or bfloat16: a sum, in the low bits of a word, divided by `terms`, which is how many numbers were added up, at least
// 1, low word first. Rounded once: the quotient is not rounded to binary32 but cut, and the lowest bit of this binary32 remembers whether
// anything was lost (sticky). That bit is far below the last place of the result, to which `narrow` then rounds.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    let bits = widen(value);
    if (is_fixed(bits)) {
        return value;
    }
    let quotient = mean_quotient(bits, terms);
    var x = quotient.significand;
    var base = 0u;
    // As in round_pack: a subnormal binary32 is shifted further; else the significand's top bit counts as one step of the exponent field.
    if (quotient.exponent <= 0) {
        x = shift_right_sticky(x, u32(min(1 - quotient.exponent, 31)));
    } else {
        base = u32(quotient.exponent - 1) << 23u;
    }
    return narrow((bits & SIGN) | (base + shift_right_sticky(x, 8u)));
}
