// The products of a quad, unrolled: where nothing is applied to them, they are all there is to do.
fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(product(a.x, b.x), product(a.y, b.y), product(a.z, b.z), product(a.w, b.w));
}
