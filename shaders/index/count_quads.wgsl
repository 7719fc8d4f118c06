// count.wgsl with a thread per four entries. quads.wgsl says which index it accepts.
#import rows
#import quads

@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let rows = elements_named(thread, quad_of(thread));
    // The last thread may have fewer than four entries.
    let count = params.entry_count - thread * 4u;
    atomicAdd(&counts[rows.x], 1u);
    if (count > 1u) {
        atomicAdd(&counts[rows.y], 1u);
    }
    if (count > 2u) {
        atomicAdd(&counts[rows.z], 1u);
    }
    if (count > 3u) {
        atomicAdd(&counts[rows.w], 1u);
    }
}
