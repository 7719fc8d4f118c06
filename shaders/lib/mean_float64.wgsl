// The mean of float64: a sum, given as bits, divided by `terms`, which is how many numbers were added up, at least 1. Both have the low
// word first.
fn mean(value: Element, terms: vec2<u32>) -> Element {
    // The number of terms as a float64: double_round_pack takes significand · 2^(exponent - 1023 - 63), and 1086 is 1023 + 63.
    let zeros = wide_leading_zeros(terms);
    let divisor = double_round_pack(0u, 1086 - i32(zeros), wide_shift_left(terms, zeros));
    return strict_double_divide(value, divisor);
}
