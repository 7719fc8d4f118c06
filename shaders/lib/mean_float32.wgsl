// The mean of float32: a sum, given as bits, divided by `terms`, which is how many numbers were added up, at least 1, low word first.
// Rounded once.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    if (is_fixed(value)) {
        return value;
    }
    let quotient = mean_quotient(value, terms);
    return round_pack(value & SIGN, quotient.exponent, quotient.significand);
}
