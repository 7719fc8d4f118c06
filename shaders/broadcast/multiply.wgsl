// dst[k] = activate(combine(x[…], y[…])) for every element k of the result, a quad of four words at a time.
//
// dst is written in whole quads, also where elements share words. Each workgroup makes 256 · 4 neighbouring quads, each
// thread every 256th of them, so that all accesses of a step lie side by side. 48 bytes per quad where both operands are
// whole.
//
// How a quad of each operand is had is a part of its own, form_*.wgsl: a branch that no thread takes would take registers
// all the same, and on an adapter that computes on the CPU most of the time, where a loop's body runs for nobody too.
//
// `row`: elements of dst, `end`: quads of dst, `is_scalar`: dst is x, `step_value`: x is whole.
const QUADS_PER_THREAD: u32 = 4u;

@group(0) @binding(2) var<storage, read> y: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x: array<vec4<u32>>;

// Quad q of an x that has the elements of dst in the same places, or is dst itself.
fn whole_x(q: u32) -> vec4<u32> {
    if (params.is_scalar == 1u) {
        return dst[q];
    }
    return x[q];
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var q = (thread_number(group, lane) - lane) * QUADS_PER_THREAD + lane;
    var c = coordinates(q * UNITS);
    for (var i = 0u; i < QUADS_PER_THREAD && q < params.end; i++) {
        let quads = operands(q, c);
        dst[q] = multiplied(quads[0], quads[1]);
        q += 256u;
        c = advance(c);
    }
}
