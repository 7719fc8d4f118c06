// dst row = combine(dst row, src row) for every index entry, where the result does not depend on the order: `apply` is
// atomic. One thread per entry and element of a row.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let entry = thread / params.entries.row;
    let l = thread % params.entries.row;
    let start = decode(entry);
    if (is_dropped(start.entry)) {
        return;
    }
    var update = scalar();
    if (params.update.is_scalar == 0u) {
        update = load_src(start.value + l * params.entries.row_value_stride);
    }
    apply(start.table + place(start.entry) + l, update);
}
