// gather.wgsl for rows of one element of one word: a thread per four elements of dst. quads.wgsl says which index it accepts. It writes
// whole quads: dst has room for a whole quad at the end.
#import index
#import entries
#import quads

@group(0) @binding(3) var<storage, read_write> dst_quads: array<vec4<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let elements = elements_named(thread, quad_of(thread));
    dst_quads[thread] = vec4<u32>(src[elements.x], src[elements.y], src[elements.z], src[elements.w]);
}
