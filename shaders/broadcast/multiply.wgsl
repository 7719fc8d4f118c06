// dst[k] = activate(combine(x[…], y[…])) for every element k of the result, a quad of four words at a time.
//
// dst is written in whole quads, even where elements share words. Memory traffic is 48 bytes per quad where both operands
// have the elements of dst.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var q = (thread_number(group, lane) - lane) * QUADS_PER_THREAD + lane;
    var c = coordinates(q * UNITS);
    for (var i = 0u; i < QUADS_PER_THREAD && q < params.quads; i++) {
        let quads = operands(q, c);
        dst[q] = multiplied(quads[0], quads[1]);
        q += 256u;
        c = advance(c);
    }
}
