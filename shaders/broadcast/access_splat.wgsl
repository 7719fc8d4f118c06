// QuadAccess::Splat. One element of y is repeated in a quad: a y of one element, and runs of whole quads that share an
// element.
const UNITS: u32 = 1u;

fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
    let at = places(c, PER_QUAD).y;
    return array<vec4<u32>, 2>(whole_x(q), repeated(element_of(y[at / PER_QUAD], at % PER_QUAD)));
}
