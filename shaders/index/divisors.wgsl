// Finds integers that something would be divided by, and that are zero. One thread per element of src; the first zero is
// reported.

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
