// The largest integer that is not above value / terms, of a value below 0.
fn floor_negative(value: vec2<u32>, terms: vec2<u32>) -> vec2<u32> {
    let quotient = wide_divide(wide_magnitude(value), terms);
    let up = wide_add(quotient.xy, vec2<u32>(select(0u, 1u, quotient.z != 0u), 0u));
    return wide_subtract(vec2<u32>(0u, 0u), up);
}
