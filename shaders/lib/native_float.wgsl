// float32 in the adapter's arithmetic. The probe tries these functions at start; they are used where it saw the CPU's bits.
//
// WGSL lets a compiler regroup sums, and fuse a product with the sum that follows it. Here it cannot: between one operation and
// the next are bits that it does not know, a word of the parameters which is zero when the shader runs.
fn observed(rounded: f32) -> u32 {
    return bitcast<u32>(rounded) ^ params.head.zero;
}

fn native_add(a: u32, b: u32) -> u32 {
    return observed(bitcast<f32>(a) + bitcast<f32>(b));
}

fn native_multiply(a: u32, b: u32) -> u32 {
    return observed(bitcast<f32>(a) * bitcast<f32>(b));
}
