// QuadAccess::Elements: quads of x and y are read element by element. If x has the elements of dst (`x_is_whole`), one read gets its
// quad. Two reads get the quad of y, unless the innermost loop ends within the quad.
#import operands
#import quad

// The elements of x (.x) and y (.y) at these coordinates.
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

fn start_of(q: u32) -> Coordinates {
    return coordinates(q * PER_QUAD);
}

fn x_element(i: u32) -> Element {
    return element_of(x[i / PER_QUAD], i % PER_QUAD);
}

// The 128 bits that begin at bit `bits` of a followed by b, where bit 0 is the lowest of the first word. bits < 128.
fn shifted(a: vec4<u32>, b: vec4<u32>, bits: u32) -> vec4<u32> {
    // The eight words low, high are shifted by two words, by one, and by the bits of a word. Of `high`, only the words that can still
    // enter have to be right.
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

// PER_QUAD elements of y as one quad, from element number i on. If y's innermost stride is 0, every place has element i. That stride is
// 0 or 1, and the innermost loop must not end within the quad. The elements may span two quads of y, so two are read.
fn y_within(i: u32) -> vec4<u32> {
    let first = y[i / PER_QUAD];
    if (params.loops[0].strides.y == 0u) {
        return repeated(element_of(first, i % PER_QUAD));
    }
    // If i starts a quad, both reads get the same quad, and nothing is shifted.
    return shifted(first, y[(i + PER_QUAD - 1u) / PER_QUAD], (i % PER_QUAD) * (128u / PER_QUAD));
}

// The quads of x and of y for quad q of the result, element by element. `start` has the loop coordinates of the quad's first element.
// The quad of x stays zero if it is read as a whole (`x_is_whole`). Elements after the end of the result stay zero in both.
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

fn operands(q: u32, c: Coordinates) -> array<vec4<u32>, 2> {
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

// For the few quads that guarded.wgsl reads twice. It reads element by element, because that
// code is short: a second call of `operands` would double the length of the shader.
fn operands_again(q: u32) -> array<vec4<u32>, 2> {
    var quads = array<vec4<u32>, 2>();
    for (var e = 0u; e < PER_QUAD; e++) {
        let at = places(coordinates(q * PER_QUAD + e));
        if (params.x_is_whole == 0u) {
            quads[0] |= placed(x_element(at.x), e);
        }
        quads[1] |= placed(y_element(at.y), e);
    }
    if (params.x_is_whole == 1u) {
        quads[0] = whole_x(q);
    }
    return quads;
}
