// QuadAccess::Splat. One element of y is repeated in a quad: a y of one element, and runs of whole quads that share an
// element.
fn operands(q: u32) -> array<vec4<u32>, 2> {
    let at = y_place(q);
    return array<vec4<u32>, 2>(whole_x(q), repeated(element_of(y[at / PER_QUAD], at % PER_QUAD)));
}
