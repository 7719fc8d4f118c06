// atomics.wgsl without a loop or a branch, for the usual call: elements of one word, rows of 16, 24, 32, … elements, one loop over
// entries, index tuples of up to two values, and no entry left out. `span` neighbouring threads share the row of an entry, eight
// elements each. A thread's elements are `span` apart, so neighbouring threads access neighbouring elements.
#import atomic

// Updates element `first` of a row and three more, `span` apart. The row begins at element `row_start` of the table, and its values at
// element `values_start` of src.
fn update_four(row_start: u32, values_start: u32, first: u32) {
    let inner = first + params.span * vec4<u32>(0u, 1u, 2u, 3u);
    let places = values_start + inner * params.entries.row_value_stride;
    apply(row_start + inner.x, update_at(places.x));
    apply(row_start + inner.y, update_at(places.y));
    apply(row_start + inner.z, update_at(places.z));
    apply(row_start + inner.w, update_at(places.w));
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
    let number = thread / params.span;
    let only = params.entries.loops[0];
    let entry = number * only.entry_stride;
    // For a tuple of one value, the second component has the stride 0 and adds 0.
    let place = (contribution(entry, 0u) + contribution(entry, 1u)) * params.index.place_stride;
    let row_start = number * only.table_stride + place;
    let values_start = number * only.value_stride;
    let first = thread - number * params.span;
    update_four(row_start, values_start, first);
    update_four(row_start, values_start, first + 4u * params.span);
}
