// dst[k] = activate(combine(x[…], y[…])) for every element k of the result, a quad of four words at a time.
//
// dst is written in whole quads, even where elements share words. Memory traffic is 48 bytes per quad where both operands
// have the elements of dst.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let q = thread_number(group, lane);
    if (q < params.head.threads) {
        let quads = operands(q);
        dst[q] = multiplied(quads[0], quads[1]);
    }
}
