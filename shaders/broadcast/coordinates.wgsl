// Where a thread is in the loops of a multiply, innermost first: length, x stride, y stride, and the digit of a step of 256
// quads in the number system whose places are the loops: a thread divides once and then adds, with carries. `loop_count`
// counts the loops beyond two. The innermost counts UNITS to a quad.
struct Coordinates {
    outer: u32,
    middle: u32,
    inner: u32,
}

fn coordinates(unit: u32) -> Coordinates {
    let rest = unit / params.loops[0].x;
    return Coordinates(rest / params.loops[1].x, rest % params.loops[1].x, unit % params.loops[0].x);
}

fn carried(c: Coordinates) -> Coordinates {
    var result = c;
    if (result.inner >= params.loops[0].x) {
        result.inner -= params.loops[0].x;
        result.middle += 1u;
    }
    if (result.middle >= params.loops[1].x) {
        result.middle -= params.loops[1].x;
        result.outer += 1u;
    }
    return result;
}

// 256 quads on.
fn advance(c: Coordinates) -> Coordinates {
    return carried(Coordinates(c.outer + params.loops[2].w, c.middle + params.loops[1].w, c.inner + params.loops[0].w));
}

// The elements of x and y that the coordinates name; `unit` is how many elements the innermost one counts.
fn places(c: Coordinates, unit: u32) -> vec2<u32> {
    var at = params.loops[0].yz * (c.inner * unit) + params.loops[1].yz * c.middle;
    var rest = c.outer;
    for (var l = 1u; l < params.loop_count; l++) {
        let next = params.loops[l + 1u];
        at += next.yz * (rest % next.x);
        rest /= next.x;
    }
    return at + params.loops[select(params.loop_count, 1u, params.loop_count == 0u) + 1u].yz * rest;
}

