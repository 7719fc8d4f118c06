// QuadAccess::Contiguous, for rows of whole quads, with y repeated for each row: the elements of y that belong to a quad of the result are
// a quad of y, too.

// The quads of x and of y that make quad q of the result, which is at the coordinates c.
fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[y_start(c) / PER_QUAD + c.inner]);
}
