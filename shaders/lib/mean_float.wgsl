// binary32 divided by a whole number, in integers. Uses strict_float.wgsl and wide_divide.wgsl.

// The quotient of a finite number that is not zero, given as bits, and of `terms`, from 1 to 2^63 - 1, low word first. Not rounded yet: the
// significand is what round_pack takes, with bit 31 set and a lowest bit that remembers whether anything was cut, and not as
// `unpack` makes it. The sign of the number is left to the caller.
fn mean_quotient(bits: u32, terms: vec2<u32>) -> Unpacked {
    let x = unpack(bits);
    let zeros = wide_leading_zeros(terms);
    // Both operands have their top bit set, so the quotient is between 1/2 and 2: of its 32 bits the first or the second is set.
    let quotient = wide_quotient(vec2<u32>(0u, x.significand << 8u), wide_shift_left(terms, zeros), 32u);
    let shift = countLeadingZeros(quotient.x);
    let significand = (quotient.x << shift) | select(0u, 1u, quotient.z != 0u);
    // Shifting the divisor by `zeros` divided the quotient by 2^zeros. With one term `zeros` is 63, and the exponent is that of x.
    return Unpacked(x.exponent + i32(zeros) - 63 - i32(shift), significand);
}

// Whether dividing a float by a number of terms leaves it as it is: zeros, infinities, NaNs.
fn is_fixed(bits: u32) -> bool {
    return (bits << 1u) == 0u || (bits & 0x7fffffffu) >= INFINITY;
}
