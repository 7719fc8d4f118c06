// What mean_half.wgsl calls for float16.

// The binary32 that an element in the low bits of a word is, as bits.
fn widen(element: u32) -> u32 {
    return float16_widen(element);
}

// The nearest element to a binary32.
fn narrow(bits: u32) -> u32 {
    return float16_round(bits);
}
