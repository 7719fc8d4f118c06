// QuadAccess::Contiguous, for rows of whole quads, with y repeated for each row: the elements of y that belong to a quad of the result are
// a quad of y, too.

// The quads of x and of y that make quad q of the result.
fn operands(q: u32) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[y_place(q) / PER_QUAD]);
}
