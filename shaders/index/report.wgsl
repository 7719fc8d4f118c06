// Adds the first bad index value to the status of an operation that validate.wgsl has refused. One thread; a pass of its own, so that
// the passes behind it are free of it.

struct Params {
    head: Head,
    index: IndexFormat,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (thread_number(group, lane) > 0u || !failed()) {
        return;
    }
    let slot = params.head.slot * 4u;
    let first_bad = ~atomicLoad(&status[slot]);
    atomicStore(&status[slot + 1u], index_low(first_bad));
    atomicStore(&status[slot + 2u], index_high(first_bad));
}
