// Where a thread is in the loops of a multiply. A thread divides once to find its coordinates and then only adds: `step` of
// a loop is the digit of 256 quads in the number system whose places are the loops, and digits are added with carries. The
// third and all further loops share one coordinate, `outer`. The innermost loop counts UNITS to a quad.
struct Coordinates {
    outer: u32,
    middle: u32,
    inner: u32,
}

fn coordinates(unit: u32) -> Coordinates {
    let rest = unit / params.loops[0].len;
    return Coordinates(rest / params.loops[1].len, rest % params.loops[1].len, unit % params.loops[0].len);
}

fn carried(c: Coordinates) -> Coordinates {
    var result = c;
    if (result.inner >= params.loops[0].len) {
        result.inner -= params.loops[0].len;
        result.middle += 1u;
    }
    if (result.middle >= params.loops[1].len) {
        result.middle -= params.loops[1].len;
        result.outer += 1u;
    }
    return result;
}

// The coordinates 256 quads further.
fn advance(c: Coordinates) -> Coordinates {
    return carried(Coordinates(
        c.outer + params.loops[2].step,
        c.middle + params.loops[1].step,
        c.inner + params.loops[0].step,
    ));
}

// The elements of x and y at these coordinates; `unit` is how many elements one step of the innermost coordinate is.
fn places(c: Coordinates, unit: u32) -> vec2<u32> {
    var at = params.loops[0].strides * (c.inner * unit) + params.loops[1].strides * c.middle;
    var rest = c.outer;
    for (var l = 1u; l < params.outer_loops; l++) {
        let next = params.loops[l + 1u];
        at += next.strides * (rest % next.len);
        rest /= next.len;
    }
    // The outermost loop. Where there are no more than two, loops[2] is one of length 1 with strides 0.
    let outermost = params.loops[max(params.outer_loops, 1u) + 1u];
    return at + outermost.strides * rest;
}

