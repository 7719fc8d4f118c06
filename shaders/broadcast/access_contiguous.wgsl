// QuadAccess::Contiguous. A quad of y is contiguous: rows of whole quads.
fn operands(q: u32) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[y_place(q) / PER_QUAD]);
}
