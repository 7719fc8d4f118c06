// Finds divisors that are zero, among integers that a scatter would divide by. One thread per element of src. The first zero is reported,
// whatever the order of threads: its number goes into the fourth word of the status slot as a complement, of which atomicMax finds the
// largest. The first word becomes at least 1, so that the passes after this one see that the operation failed: `failed` in frame.wgsl.
#import element
#import equal

struct Params {
    head: Head,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at < params.head.threads && is_equal(load_src(at), element_of_bits(vec2<u32>(0u, 0u)))) {
        atomicMax(&status[params.head.slot * 4u], 1u);
        atomicMax(&status[params.head.slot * 4u + 3u], ~at);
    }
}
