// QuadAccess::Splat, for a y of one element, and for runs of whole quads that share an element of y: it is repeated in a quad.

// The quads of x and of y that make quad q of the result.
fn operands(q: u32) -> array<vec4<u32>, 2> {
    let at = y_place(q);
    return array<vec4<u32>, 2>(whole_x(q), repeated(element_of(y[at / PER_QUAD], at % PER_QUAD)));
}
