// Quad q of an x that has the elements of dst at the same positions.
fn whole_x(q: u32) -> vec4<u32> {
    return x[q];
}
