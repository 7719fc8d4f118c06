// float32 in the adapter's arithmetic, on bits. The probe tries these functions at start; they are used where it saw the CPU's bits, or
// wrong ones of subnormal numbers only: then guard.wgsl says which results count.

// The bits of the result of one operation. WGSL lets a compiler regroup sums, and fuse a product with the sum that follows it. Here it
// cannot: between one operation and the next is an xor with a word of the parameters, which is always zero, but no compiler knows that.
fn observed(rounded: f32) -> u32 {
    return bitcast<u32>(rounded) ^ params.head.zero;
}

fn native_add(a: u32, b: u32) -> u32 {
    return observed(bitcast<f32>(a) + bitcast<f32>(b));
}

fn native_multiply(a: u32, b: u32) -> u32 {
    return observed(bitcast<f32>(a) * bitcast<f32>(b));
}
