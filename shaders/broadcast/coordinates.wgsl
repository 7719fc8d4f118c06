// Where an element of the result is in the loops, of which the first is the innermost. The third and all further loops share one
// coordinate, which `places` divides up.
struct Coordinates {
    outer: u32,  // in loops[2] and further ones, as one number
    middle: u32, // in loops[1]
    inner: u32,  // in loops[0]
}

// The coordinates of element number `element` of the result. Remainders are computed from quotients, without a second division.
fn coordinates(element: u32) -> Coordinates {
    let rows = element / params.loops[0].len;
    let outer = rows / params.loops[1].len;
    return Coordinates(outer, rows - outer * params.loops[1].len, element - rows * params.loops[0].len);
}

// The element of x (.x) and the element of y (.y) at these coordinates.
fn places(c: Coordinates) -> vec2<u32> {
    var at = params.loops[0].strides * c.inner + params.loops[1].strides * c.middle;
    var rest = c.outer;
    for (var l = 2u; l < params.outermost; l++) {
        let further = rest / params.loops[l].len;
        at += params.loops[l].strides * (rest - further * params.loops[l].len);
        rest = further;
    }
    return at + params.loops[params.outermost].strides * rest;
}
