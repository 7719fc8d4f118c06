// mark.wgsl with a thread per four entries. quads.wgsl says which index it accepts.
#import rows
#import quads

@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let rows = elements_named(thread, quad_of(thread));
    let first = thread * 4u;
    // The last thread may have fewer than four entries.
    let count = params.entry_count - first;
    atomicMax(&marks[rows.x], first + 1u);
    if (count > 1u) {
        atomicMax(&marks[rows.y], first + 2u);
    }
    if (count > 2u) {
        atomicMax(&marks[rows.z], first + 3u);
    }
    if (count > 3u) {
        atomicMax(&marks[rows.w], first + 4u);
    }
}
