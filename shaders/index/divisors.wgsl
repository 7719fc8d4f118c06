// Finds zeros among a scatter's integer divisors. One thread per element of src. The fourth word of the status slot gets the complement
// of the first zero's number: atomicMax finds the largest complement in any order of threads. The first word becomes at least 1, so
// that later passes see the fault (`failed` in frame.wgsl).
#import element
#import equal

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at < params.head.threads && is_equal(load_src(at), element_of_bits(vec2<u32>(0u, 0u)))) {
        atomicMax(&status[params.head.slot * 4u], 1u);
        atomicMax(&status[params.head.slot * 4u + 3u], ~at);
    }
}
