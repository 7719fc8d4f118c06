// atomics.wgsl for rows of one element: a thread per four entries. quads.wgsl says which index it accepts.
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
    let values = values_of(quad);
    // The last thread may have fewer than four entries.
    let count = params.entry_count - thread * 4u;
    apply(elements.x, update_at(values.x));
    if (count > 1u) {
        apply(elements.y, update_at(values.y));
    }
    if (count > 2u) {
        apply(elements.z, update_at(values.z));
    }
    if (count > 3u) {
        apply(elements.w, update_at(values.w));
    }
}
