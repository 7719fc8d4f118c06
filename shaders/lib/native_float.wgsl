// float32 products in the adapter's arithmetic, on bits. The probe tries this function at start; it is used where it gave the CPU's bits, or
// wrong ones of subnormal numbers only: then guarded.wgsl says which results count.
#import frame

// The bits of the product. WGSL lets a compiler fuse a product with a sum that follows it, as activations have them. Here it cannot: the
// product goes through an xor with a word of the parameters, which is always zero, but no compiler knows that.
fn native_multiply(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) * bitcast<f32>(b)) ^ params.head.zero;
}
