// QuadAccess::Same, for equal shapes: y has the elements of dst at the same positions, as x has.

// The quads of x and of y that make quad q of the result, whatever its coordinates are.
fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[q]);
}
