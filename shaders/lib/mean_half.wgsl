// float16 and bfloat16: the quotient is cut to a binary32 whose lowest bit tells that something was lost. That is enough to round
// it once, to fewer bits.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    let bits = widen(value);
    if (is_fixed(bits)) {
        return value;
    }
    let quotient = mean_quotient(bits, terms);
    var x = quotient.significand;
    var base = 0u;
    if (quotient.exponent <= 0) {
        x = shift_right_sticky(x, u32(min(1 - quotient.exponent, 31)));
    } else {
        base = u32(quotient.exponent - 1) << 23u;
    }
    return narrow((bits & SIGN) | (base + shift_right_sticky(x, 8u)));
}
