// Quad q of an x that is dst: the product is written over it, so the quad has to be read before.
fn whole_x(q: u32) -> vec4<u32> {
    return dst[q];
}
