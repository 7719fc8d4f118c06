// QuadAccess::Elements. All other quads of y, and of an x that has fewer elements than dst: element by element, or in two
// reads where all elements of a quad are in one round of the innermost loop.

// Element i of a buffer.
fn x_element(i: u32) -> Element {
    return element_of(x[i / PER_QUAD], i % PER_QUAD);
}

fn y_element(i: u32) -> Element {
    return element_of(y[i / PER_QUAD], i % PER_QUAD);
}

// The 128 bits that begin at bit `bits` of `a` followed by `b`; bits < 128.
fn shifted(a: vec4<u32>, b: vec4<u32>, bits: u32) -> vec4<u32> {
    var low = a;
    var high = b;
    if ((bits & 64u) != 0u) {
        low = vec4<u32>(a.zw, b.xy);
        high = b.zwzw;
    }
    if ((bits & 32u) != 0u) {
        low = vec4<u32>(low.yzw, high.x);
        high = high.yyyy;
    }
    let rest = bits & 31u;
    if (rest != 0u) {
        low = (low >> vec4<u32>(rest)) | (vec4<u32>(low.yzw, high.x) << vec4<u32>(32u - rest));
    }
    return low;
}

// A quad of y whose elements are in one round of the innermost loop, the first of them at i.
fn y_within(i: u32) -> vec4<u32> {
    let first = y[i / PER_QUAD];
    if (params.loops[0].strides.y == 0u) {
        return repeated(element_of(first, i % PER_QUAD));
    }
    return shifted(first, y[(i + PER_QUAD - 1u) / PER_QUAD], (i % PER_QUAD) * (128u / PER_QUAD));
}

// The coordinates of an element that may be the first of the next round.
fn carried(c: Coordinates) -> Coordinates {
    var result = c;
    if (result.inner == params.loops[0].len) {
        result.inner = 0u;
        result.middle += 1u;
    }
    if (result.middle == params.loops[1].len) {
        result.middle = 0u;
        result.outer += 1u;
    }
    return result;
}

// Quad q of both operands, element by element.
fn looked_up(q: u32, start: Coordinates, x_is_whole: bool) -> array<vec4<u32>, 2> {
    var quads = array<vec4<u32>, 2>();
    var c = start;
    var at = places(c);
    let count = min(params.len - q * PER_QUAD, PER_QUAD);
    for (var e = 0u; e < count; e++) {
        if (!x_is_whole) {
            quads[0] |= placed(x_element(at.x), e);
        }
        quads[1] |= placed(y_element(at.y), e);
        c.inner += 1u;
        at += params.loops[0].strides;
        if (c.inner == params.loops[0].len) {
            c = carried(c);
            at = places(c);
        }
    }
    return quads;
}

fn operands(q: u32) -> array<vec4<u32>, 2> {
    let c = coordinates(q * PER_QUAD);
    let x_is_whole = params.x_is_whole == 1u;
    var quads = array<vec4<u32>, 2>();
    if (x_is_whole && c.inner + PER_QUAD <= params.loops[0].len) {
        quads[1] = y_within(places(c).y);
    } else {
        quads = looked_up(q, c, x_is_whole);
    }
    if (x_is_whole) {
        quads[0] = whole_x(q);
    }
    return quads;
}

// The operands of element e of quad q. One call of `operands` less keeps guarded.wgsl half as long.
fn operand_pair(q: u32, e: u32) -> array<Element, 2> {
    let at = places(coordinates(q * PER_QUAD + e));
    var pair = array<Element, 2>(Element(), y_element(at.y));
    if (params.x_is_whole == 1u) {
        pair[0] = element_of(whole_x(q), e);
    } else {
        pair[0] = x_element(at.x);
    }
    return pair;
}
