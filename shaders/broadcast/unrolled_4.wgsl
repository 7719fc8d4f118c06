// The products of quads of x and y, four elements of one word, unrolled: for a multiply without an activation.
fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(product(a.x, b.x), product(a.y, b.y), product(a.z, b.z), product(a.w, b.w));
}
