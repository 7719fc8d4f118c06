// dst row = combine(dst row, src row) for every index entry, where order cannot matter: `apply` is atomic. One
// thread per entry and element of a row. Loops: dst stride, src stride, index stride.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let entry = thread / params.row;
    let l = thread % params.row;
    let start = decode(entry);
    var update = scalar();
    if (params.is_scalar == 0u) {
        update = load_src(start.value + l * params.row_value_stride);
    }
    apply(start.table + place(entry) + l, update);
}
