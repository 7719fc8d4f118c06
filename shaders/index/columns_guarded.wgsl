// columns.wgsl for guarded float32 (guarded_float.wgsl): the adapter combines, and where its result is not sure to be right, integer
// arithmetic does. The integer code is long, so it is in one place, after an inner loop over entries. That loop stops at an entry whose
// result is not sure, and the outer loop goes on after it. So threads that need the integer code run it together; and an adapter that runs
// both sides of a branch, as those in software do, runs it only where the inner loop stops, not once for each entry.

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = group_number(group) * 64u + lane;
    if (is_idle(thread)) {
        return;
    }
    let start = decode(thread / params.entries.row);
    let in_row = thread % params.entries.row;
    var j = params.begin;
    while (j < params.end) {
        var element = 0u;
        var before = 0u;
        var update = scalar();
        var is_unsure = false;
        while (j < params.end && !is_unsure) {
            let entry = start.entry + j * params.entry_stride;
            if (!is_dropped(entry)) {
                element = start.table + place(entry) + in_row;
                if (params.update.is_scalar == 0u) {
                    update = load_src(start.value + j * params.value_stride + in_row * params.entries.row_value_stride);
                }
                before = load_dst(element);
                let result = combine_native(before, update);
                is_unsure = !is_sure(result);
                if (!is_unsure) {
                    store_dst(element, result);
                }
            }
            j++;
        }
        if (is_unsure) {
            store_dst(element, combine_strict(before, update));
        }
    }
}
