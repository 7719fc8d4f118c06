// dst row = combine(dst row, src row) for every index entry, where the result does not depend on the order: `apply` is
// atomic. A few threads for each entry, next to each other, share the elements of its row: what an entry takes to decode is spent
// once for all that a thread has.

// Combines element l of a row, if the row has more than l elements. `row` and `values` are where the row and its updates begin.
fn apply_within(row: u32, values: u32, l: u32) {
    if (l >= params.entries.row) {
        return;
    }
    var update = scalar();
    if (params.update.is_scalar == 0u) {
        update = load_src(values + l * params.entries.row_value_stride);
    }
    apply(row + l, update);
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
    let row = start.table + place(start.entry);
    let l = thread - entry * params.span;
    apply_within(row, start.value, l);
    apply_within(row, start.value, l + params.span);
    apply_within(row, start.value, l + 2u * params.span);
    apply_within(row, start.value, l + 3u * params.span);
}
