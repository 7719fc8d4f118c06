// QuadAccess::Contiguous. A quad of y is contiguous: rows of whole quads.
const UNITS: u32 = 1u;

fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[places(c, PER_QUAD).y / PER_QUAD]);
}
