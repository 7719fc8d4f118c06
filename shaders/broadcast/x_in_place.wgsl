// Quad q of an x that is dst.
fn whole_x(q: u32) -> vec4<u32> {
    return dst[q];
}
