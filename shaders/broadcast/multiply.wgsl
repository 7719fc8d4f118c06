// dst[k] = activate(combine(x[…], y[…])) for every element k of the result, a quad of four words at a time.
//
// dst is written in whole quads, also where elements share words. x has the elements of dst in the same places
// (then it is read in quads, or is dst itself) or is looked up like y. Each workgroup makes 256 · 4 neighbouring
// quads, each thread every 256th of them, so that all accesses of a step lie side by side. 48 bytes per quad where
// both operands are whole.
//
// Loops, innermost first: length, x stride, y stride, and the digit of a step of 256 quads in the number system
// whose places are the loops: a thread divides once and then adds, with carries. `loop_count` counts the loops
// beyond two. A length of the innermost is in quads where `begin` is not ELEMENTS. `row`: elements of dst,
// `end`: quads of dst, `is_scalar`: dst is x, `step_value`: x is whole.
const QUADS_PER_THREAD: u32 = 4u;

// How a quad of y is had. QUADS: as it is, for equal shapes and for rows of whole quads. REPEAT: one element
// fills it, for a single y and for runs of whole quads that share one. ELEMENTS: for all others one by one, but in
// two reads where all of them are in the same row or run.
const QUADS: u32 = 0u;
const REPEAT: u32 = 1u;
const ELEMENTS: u32 = 2u;

@group(0) @binding(2) var<storage, read> y: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x: array<vec4<u32>>;

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

// Element i of a buffer.
fn x_element(i: u32) -> Element {
    return element_of(x[i / PER_QUAD], i % PER_QUAD);
}

fn y_element(i: u32) -> Element {
    return element_of(y[i / PER_QUAD], i % PER_QUAD);
}

// Four words that begin `bits` behind the beginning of `a`, which `b` follows; bits < 128.
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

// A quad of y whose elements lie in one round of the innermost loop, the first of them at i.
fn y_within(i: u32) -> vec4<u32> {
    let first = y[i / PER_QUAD];
    if (params.loops[0].z == 0u) {
        return repeated(element_of(first, i % PER_QUAD));
    }
    return shifted(first, y[(i + PER_QUAD - 1u) / PER_QUAD], (i % PER_QUAD) * (128u / PER_QUAD));
}

// Quad q of both operands, element by element.
fn looked_up(q: u32, start: Coordinates, x_is_whole: bool) -> array<vec4<u32>, 2> {
    var quads = array<vec4<u32>, 2>();
    var c = start;
    var at = places(c, 1u);
    let count = min(params.row - q * PER_QUAD, PER_QUAD);
    for (var e = 0u; e < count; e++) {
        if (!x_is_whole) {
            quads[0] |= placed(x_element(at.x), e);
        }
        quads[1] |= placed(y_element(at.y), e);
        c.inner += 1u;
        at += params.loops[0].yz;
        if (c.inner == params.loops[0].x) {
            c = carried(c);
            at = places(c, 1u);
        }
    }
    return quads;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var q = (thread_number(group, lane) - lane) * QUADS_PER_THREAD + lane;
    let form = params.begin;
    let x_is_whole = params.step_value == 1u;
    var c = coordinates(q * select(1u, PER_QUAD, form == ELEMENTS));
    for (var i = 0u; i < QUADS_PER_THREAD; i++) {
        if (q >= params.end) {
            break;
        }
        var operands = array<vec4<u32>, 2>();
        if (form == ELEMENTS && x_is_whole && c.inner + PER_QUAD <= params.loops[0].x) {
            operands[1] = y_within(places(c, 1u).y);
        } else if (form == ELEMENTS) {
            operands = looked_up(q, c, x_is_whole);
        } else {
            let at = places(c, PER_QUAD).y;
            operands[1] = y[at / PER_QUAD];
            if (form == REPEAT) {
                operands[1] = repeated(element_of(operands[1], at % PER_QUAD));
            }
        }
        if (params.is_scalar == 1u) {
            operands[0] = dst[q];
        } else if (x_is_whole) {
            operands[0] = x[q];
        }
        dst[q] = multiplied(operands[0], operands[1]);
        q += 256u;
        c = advance(c);
    }
}
