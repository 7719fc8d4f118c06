// columns.wgsl for guarded float32. The integer arithmetic stands behind the loop over the entries, which ends at an entry that needs
// it and then goes on: threads that diverge do so in one place, and an adapter that runs both sides of a branch, as those in software
// do, runs it once for all entries that do not.

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = group_number(group) * 64u + lane;
    if (is_idle(thread)) {
        return;
    }
    let start = decode(thread / params.entries.row);
    let l = thread % params.entries.row;
    var j = params.begin;
    while (j < params.end) {
        var element = 0u;
        var before = 0u;
        var update = scalar();
        var is_left = false;
        while (j < params.end && !is_left) {
            let entry = start.entry + j * params.entry_stride;
            if (!is_dropped(entry)) {
                element = start.table + place(entry) + l;
                if (params.update.is_scalar == 0u) {
                    update = load_src(start.value + j * params.value_stride + l * params.entries.row_value_stride);
                }
                before = load_dst(element);
                let result = combine_native(before, update);
                is_left = !is_sure(before, update, result);
                if (!is_left) {
                    store_dst(element, result);
                }
            }
            j++;
        }
        if (is_left) {
            store_dst(element, combine_strict(before, update));
        }
    }
}
