// QuadAccess::Same. y has the elements of dst at the same positions, as x has.
alias Coordinates = u32;

const UNITS: u32 = 0u;

fn coordinates(unit: u32) -> Coordinates {
    return unit;
}

fn advance(c: Coordinates) -> Coordinates {
    return c;
}

fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[q]);
}
