// What the accesses share in which a quad of the result has one quad or one element of y. There are exactly three loops, and each round of
// the innermost is a quad: its length counts quads.

// Where quad q of the result is in the loops.
fn start_of(q: u32) -> Coordinates {
    return coordinates(q);
}

// The element of y with which the innermost loop begins at these coordinates.
fn y_start(c: Coordinates) -> u32 {
    return params.loops[1].strides.y * c.middle + params.loops[2].strides.y * c.outer;
}

// The quads of x and of y that make quad q of the result, for the few quads that guarded.wgsl reads twice.
fn operands_again(q: u32) -> array<vec4<u32>, 2> {
    return operands(q, start_of(q));
}
