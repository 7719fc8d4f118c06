// QuadAccess::Elements, for all other shapes, also those in which x has fewer elements than dst. Quads of both operands are read element by
// element. If x is read as a whole (`x_is_whole`), a quad of y is read in two reads where all of its elements are in one round of the
// innermost loop.

// Element i of x.
fn x_element(i: u32) -> Element {
    return element_of(x[i / PER_QUAD], i % PER_QUAD);
}

// Element i of y.
fn y_element(i: u32) -> Element {
    return element_of(y[i / PER_QUAD], i % PER_QUAD);
}

// The 128 bits that begin at bit `bits` of a followed by b, where bit 0 is the lowest of the first word. bits < 128.
fn shifted(a: vec4<u32>, b: vec4<u32>, bits: u32) -> vec4<u32> {
    // The eight words low, high are shifted by two words, by one, and by the bits of a word. Of `high` only the words that still can come
    // in have to be right.
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

// PER_QUAD elements of y as one quad, from element number i on; where y's innermost stride is 0, element i in every place. That stride is
// 0 or 1, and the innermost loop must not end within the quad. The elements may lie in two quads of y, so that two are read.
fn y_within(i: u32) -> vec4<u32> {
    let first = y[i / PER_QUAD];
    if (params.loops[0].strides.y == 0u) {
        return repeated(element_of(first, i % PER_QUAD));
    }
    // Where i is at the start of a quad, both are the same quad, and nothing is shifted.
    return shifted(first, y[(i + PER_QUAD - 1u) / PER_QUAD], (i % PER_QUAD) * (128u / PER_QUAD));
}

// Coordinates of which `inner` may have come to the end of its loop: then the next round of the loop around it begins.
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

// The quads of x and of y that make quad q of the result, element by element. `start` is where the quad's first element is in the loops.
// The quad of x is left zero if it is read as a whole (`x_is_whole`). So are the elements of both behind the last one of the result.
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

// The quads of x and of y that make quad q of the result.
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

// The operands of element e of quad q. It does not call `operands`, whose code guarded.wgsl would then have twice.
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
