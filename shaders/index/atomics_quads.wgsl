// atomics.wgsl for rows of one element of one word and an index as in quads.wgsl: a thread for each four entries.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32,
    span: u32, // 1 here
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    var here = walk_from(thread * 4u);
    let end = min(thread * 4u + 4u, params.entry_count);
    for (var entry = thread * 4u; entry < end; entry++) {
        var update = scalar();
        if (params.update.is_scalar == 0u) {
            update = load_src(here.value);
        }
        apply(element_named(entry, here), update);
        here = walk_on(here);
    }
}
