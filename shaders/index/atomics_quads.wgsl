// atomics.wgsl for rows of one element of one word: a thread per four entries. quads.wgsl says which index it accepts.
#import atomic
#import quads

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
#ifdef EXACT
    exact_copy = (thread / 32u) & (params.tile.copies - 1u);
#endif
    let quad = quad_of(thread);
    let elements = elements_named(thread, quad);
    var updates = vec4<u32>(scalar());
    if (params.update.is_scalar == 0u) {
        let values = values_of(quad);
        updates = vec4<u32>(src[values.x], src[values.y], src[values.z], src[values.w]);
    }
    // The last thread may have fewer than four entries.
    let count = params.entry_count - thread * 4u;
    apply(elements.x, updates.x);
    if (count > 1u) {
        apply(elements.y, updates.y);
    }
    if (count > 2u) {
        apply(elements.z, updates.z);
    }
    if (count > 3u) {
        apply(elements.w, updates.w);
    }
}
