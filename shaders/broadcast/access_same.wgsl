// QuadAccess::Same. y has the elements of dst at the same positions, as x has.
fn operands(q: u32) -> array<vec4<u32>, 2> {
    return array<vec4<u32>, 2>(whole_x(q), y[q]);
}
