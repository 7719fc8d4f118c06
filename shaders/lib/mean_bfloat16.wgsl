// What mean_half.wgsl calls for bfloat16, which is the upper half of a binary32.

// The binary32 that an element in the low bits of a word is, as bits.
fn widen(element: u32) -> u32 {
    return element << 16u;
}

// The nearest element to a binary32.
fn narrow(bits: u32) -> u32 {
    return bfloat16_round(bits);
}
