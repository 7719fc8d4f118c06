// dst row = combine(dst row, src row) for every index entry, where the result does not depend on the order: `apply`, of a part
// atomic_*.wgsl, is atomic. For each entry there are `span` neighbouring threads, which share the elements of its row, up to four each, so
// that a thread decodes the entry once for all of its elements. Elements of a thread are `span` apart, so that neighbouring threads
// access neighbouring elements.

// Updates element l of a row, if the row has more than l elements. The row begins at element `row_start` of the
// table, and its values at element `values_start` of src.
fn apply_within(row_start: u32, values_start: u32, l: u32) {
    if (l >= params.entries.row) {
        return;
    }
    var update = scalar();
    if (params.update.is_scalar == 0u) {
        update = load_src(values_start + l * params.entries.row_value_stride);
    }
    apply(row_start + l, update);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let entry = thread / params.span;
    let start = decode(entry);
    if (is_dropped(start.entry)) {
        return;
    }
    let row_start = start.table + place(start.entry);
    let l = thread - entry * params.span;
    apply_within(row_start, start.value, l);
    apply_within(row_start, start.value, l + params.span);
    apply_within(row_start, start.value, l + 2u * params.span);
    apply_within(row_start, start.value, l + 3u * params.span);
}
