// QuadAccess::Splat, for a y of one element, and for runs of whole quads that share an element of y: it is repeated in a quad.

// The quads of x and of y that make quad q of the result, which is at the coordinates c.
fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), repeated(y_element(y_start(c))));
}
