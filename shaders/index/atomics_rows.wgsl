// atomics.wgsl for elements of one word, one loop over entries, and index tuples of up to two numbers, none left out: without a loop.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32,
    span: u32, // threads of an entry; each has up to four elements
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

    let inner = thread - number * params.span + params.span * vec4<u32>(0u, 1u, 2u, 3u);
    let values = number * only.value_stride + inner * params.entries.row_value_stride;
    // Without a branch: where there is a scalar, src is a few bytes that are read in vain.
    let loaded = vec4<u32>(src[values.x], src[values.y], src[values.z], src[values.w]);
    let updates = select(loaded, vec4<u32>(scalar()), params.update.is_scalar == 1u);
    apply(row + inner.x, updates.x);
    if (inner.y < params.entries.row) {
        apply(row + inner.y, updates.y);
    }
    if (inner.z < params.entries.row) {
        apply(row + inner.z, updates.z);
    }
    if (inner.w < params.entries.row) {
        apply(row + inner.w, updates.w);
    }
}
