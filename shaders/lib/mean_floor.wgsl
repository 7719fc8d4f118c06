// The largest integer that is not above value / terms, for a negative int64 and a positive number of terms, low words first: the quotient
// of the magnitudes rounded up, then negated.
fn floor_negative(value: vec2<u32>, terms: vec2<u32>) -> vec2<u32> {
    let quotient = wide_divide(wide_magnitude(value), terms);
    let is_inexact = quotient.z != 0u;
    let up = wide_add(quotient.xy, vec2<u32>(select(0u, 1u, is_inexact), 0u));
    return wide_subtract(vec2<u32>(0u, 0u), up);
}
