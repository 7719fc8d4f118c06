// Quad q of an x that has the elements of dst at the same positions, and memory of its own.
fn whole_x(q: u32) -> vec4<u32> {
    return x[q];
}
