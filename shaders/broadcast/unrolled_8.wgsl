// The products of quads of x and y, two elements of two words, unrolled: for a multiply without an activation.
fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(product(a.xy, b.xy), product(a.zw, b.zw));
}
