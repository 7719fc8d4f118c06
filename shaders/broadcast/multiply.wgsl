// dst[k] = activate(combine(x[…], y[…])) for every element k of the result; x is `src`, y is bound as `index`.
//
// Each workgroup makes 256 · 4 neighbours, each thread every 256th of them, so that all accesses of a step lie
// side by side. Loops: x stride, y stride, and the digit of 256 in the number system whose places are the
// loops: a thread divides once and then adds, with carries. Plans of up to three loops, which is nearly all,
// are filled up to three with loops of length 1 in front; others divide for each element.
const PER_THREAD: u32 = 4u;

struct Coordinates {
    outer: u32,
    middle: u32,
    inner: u32,
}

fn coordinates(k: u32) -> Coordinates {
    let rest = k / params.loops[2].x;
    return Coordinates(rest / params.loops[1].x, rest % params.loops[1].x, k % params.loops[2].x);
}

// 256 elements on.
fn advance(c: Coordinates) -> Coordinates {
    var result = c;
    result.inner += params.loops[2].w;
    result.middle += params.loops[1].w;
    result.outer += params.loops[0].w;
    if (result.inner >= params.loops[2].x) {
        result.inner -= params.loops[2].x;
        result.middle += 1u;
    }
    if (result.middle >= params.loops[1].x) {
        result.middle -= params.loops[1].x;
        result.outer += 1u;
    }
    return result;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var k = (thread_number(group, lane) - lane) * PER_THREAD + lane;
    let is_short = params.loop_count == 3u;
    var c = Coordinates(0u, 0u, 0u);
    if (is_short) {
        c = coordinates(k);
    }
    for (var i = 0u; i < PER_THREAD; i++) {
        if (k >= params.end) {
            break;
        }
        var start = Start(0u, 0u, 0u);
        if (is_short) {
            start.table = c.outer * params.loops[0].y + c.middle * params.loops[1].y + c.inner * params.loops[2].y;
            start.value = c.outer * params.loops[0].z + c.middle * params.loops[1].z + c.inner * params.loops[2].z;
            c = advance(c);
        } else {
            start = decode(k);
        }
        store_dst(k, activate(combine(load_src(start.table), load_index(start.value))));
        k += 256u;
    }
}
