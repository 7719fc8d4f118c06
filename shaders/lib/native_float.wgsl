// float32 products in the adapter's arithmetic, on bits. The probe tries this function at start. A multiply uses it if it gave the
// CPU's bits, or if only products with subnormal numbers differed; then guarded.wgsl says which results count.
#import frame

// The bits of the product. WGSL lets a compiler fuse a product with a following sum, as in an activation. An xor with a word of the
// parameters prevents this: the word is always zero, but no compiler knows it.
fn native_multiply(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) * bitcast<f32>(b)) ^ params.head.zero;
}
