fn mean(value: Element, terms: vec2<u32>) -> Element {
    if (is_fixed(value)) {
        return value;
    }
    let quotient = mean_quotient(value, terms);
    return round_pack(value & SIGN, quotient.exponent, quotient.significand);
}
