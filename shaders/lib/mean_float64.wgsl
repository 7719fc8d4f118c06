fn mean(value: Element, terms: vec2<u32>) -> Element {
    let zeros = wide_leading_zeros(terms);
    return strict_double_divide(value, double_round_pack(0u, 1086 - i32(zeros), wide_shift_left(terms, zeros)));
}
