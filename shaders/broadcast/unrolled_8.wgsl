// The products of a quad, unrolled: for a multiply without an activation.
fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(product(a.xy, b.xy), product(a.zw, b.zw));
}
