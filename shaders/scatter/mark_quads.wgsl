// mark.wgsl with a thread per four entries. quads.wgsl says which index it accepts.
#import index
#import entries
#import quads
#import note

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
    note(rows.x, first);
    if (count > 1u) {
        note(rows.y, first + 1u);
    }
    if (count > 2u) {
        note(rows.z, first + 2u);
    }
    if (count > 3u) {
        note(rows.w, first + 3u);
    }
}
