// QuadAccess::Same, Contiguous and Splat: a quad of the result has one quad or one element of y. There are exactly three loops, and a
// round of the innermost loop is a quad.
#import operands
#import quad

fn start_of(q: u32) -> Coordinates {
#ifdef SAME
    return Coordinates(); // not used
#else
    return coordinates(q);
#endif
}

// The first element of y in the innermost loop at these coordinates.
fn y_start(c: Coordinates) -> u32 {
    return params.loops[1].strides.y * c.middle + params.loops[2].strides.y * c.outer;
}

fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
#ifdef SAME
    // Equal shapes: x and y have the elements of dst at the same positions.
    return array<vec4<u32>, 2>(whole_x(q), y[q]);
#endif
#ifdef CONTIGUOUS
    // Rows of whole quads, and y repeats for each row: the elements of y are a quad too.
    return array<vec4<u32>, 2>(whole_x(q), y[y_start(c) / PER_QUAD + c.inner]);
#endif
#ifdef SPLAT
    // A y of one element, or runs of whole quads that share an element of y: the element fills a quad.
    return array<vec4<u32>, 2>(whole_x(q), repeated(y_element(y_start(c))));
#endif
}

fn operands_again(q: u32) -> array<vec4<u32>, 2> {
    return operands(q, start_of(q));
}
