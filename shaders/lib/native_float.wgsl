// Operations on float32 in the adapter's arithmetic, on bits. The probe tries products and sums at start. Operations on two tensors use them if
// they gave the CPU's bits, or if only those with subnormal numbers differed; then guarded.wgsl says which results count.
#import frame

// The bits of a result. WGSL lets a compiler fuse a product with a following sum, as in an activation. An xor with a word of the
// parameters prevents this: the word is always zero, but no compiler knows it.
fn native_multiply(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) * bitcast<f32>(b)) ^ params.head.zero;
}

fn native_add(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b)) ^ params.head.zero;
}

fn native_subtract(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) - bitcast<f32>(b)) ^ params.head.zero;
}
