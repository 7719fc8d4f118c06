// dst row = combine(dst row, src row) for every index entry, in any order: `apply` is atomic. `span` neighbouring threads share the row
// of an entry, up to four elements each, so a thread decodes an entry once. A thread's elements are `span` apart, so neighbouring
// threads access neighbouring elements.
#import atomic

// Updates element `in_row` of a row, if the row has that element.
fn apply_within(row_start: u32, values_start: u32, in_row: u32) {
    if (in_row >= params.entries.row) {
        return;
    }
    apply(row_start + in_row, update_at(values_start + in_row * params.entries.row_value_stride));
}

// Updates the elements of a row from `first` on, `span` apart: four, or fewer at the end of the row. The row begins at element `row_start` of
// the table, and its values at element `values_start` of src.
fn update_four(row_start: u32, values_start: u32, first: u32) {
    apply_within(row_start, values_start, first);
    apply_within(row_start, values_start, first + params.span);
    apply_within(row_start, values_start, first + 2u * params.span);
    apply_within(row_start, values_start, first + 3u * params.span);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
#ifdef EXACT
    exact_copy = (thread / 32u) & (params.tile.copies - 1u);
#endif
    let entry = thread / params.span;
    let start = decode(entry);
    if (is_dropped(start.entry)) {
        return;
    }
    let row_start = start.table + place(start.entry);
    update_four(row_start, start.value, thread - entry * params.span);
}
