// Products of float32 by the adapter, and which of them are certain: provably_exact.wgsl has the proof.
#import native_float
#import provably_exact

// The bits of the product, and a word whose highest bit is 0 if they are certain.
fn certain_multiply(a: u32, b: u32) -> vec2<u32> {
    let product = native_multiply(a, b);
    return vec2<u32>(product, inexact(a, b, product));
}
