// binary32 divided by a whole number of up to 63 bits, in integers. Uses strict_float.wgsl and wide_divide.wgsl.
fn mean_quotient(bits: u32, terms: vec2<u32>) -> Unpacked {
    let x = unpack(bits);
    let zeros = wide_leading_zeros(terms);
    // 32 bits, of which the first or the second is set.
    let quotient = wide_quotient(vec2<u32>(0u, x.significand << 8u), wide_shift_left(terms, zeros), 32u);
    let shift = countLeadingZeros(quotient.x);
    let significand = (quotient.x << shift) | select(0u, 1u, quotient.z != 0u);
    return Unpacked(x.exponent + i32(zeros) - 63 - i32(shift), significand);
}

// What no division changes: zeros, infinities, NaNs.
fn is_fixed(bits: u32) -> bool {
    return (bits << 1u) == 0u || (bits & 0x7fffffffu) >= INFINITY;
}
