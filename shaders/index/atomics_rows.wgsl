// atomics.wgsl for elements of one word in rows of a multiple of eight, one loop over entries, and index tuples of up to two numbers,
// none left out: without a loop or a branch.

// Four elements of a row, from its element `first` on: where the row and its values begin.
fn apply_four(row: u32, values: u32, first: u32) {
    let inner = first + params.span * vec4<u32>(0u, 1u, 2u, 3u);
    let places = values + inner * params.entries.row_value_stride;
    // Without a branch: where there is a scalar, src is a few bytes that are read in vain.
    let loaded = vec4<u32>(src[places.x], src[places.y], src[places.z], src[places.w]);
    let updates = select(loaded, vec4<u32>(scalar()), params.update.is_scalar == 1u);
    apply(row + inner.x, updates.x);
    apply(row + inner.y, updates.y);
    apply(row + inner.z, updates.z);
    apply(row + inner.w, updates.w);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let number = thread / params.span;
    let only = params.entries.loops[0];
    let entry = number * only.entry_stride;
    // Where a tuple has one number, the second one has a stride of 0.
    let place = (position(entry, 0u) + position(entry, 1u)) * params.index.place_stride;
    let row = number * only.table_stride + place;
    let values = number * only.value_stride;
    let first = thread - number * params.span;
    apply_four(row, values, first);
    apply_four(row, values, first + 4u * params.span);
}
