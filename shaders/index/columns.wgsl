// dst row = combine(dst row, src row) for every index entry.
//
// One thread per column, that is per element of a row and combination of the loops other than the one
// along which entries can meet, which the thread walks itself: so every destination sees its updates in
// the row-major order of the CPU. Loops: dst stride, src stride, index stride.
//
// Columns are often few: workgroups of 64 spread them over more cores than those of 256 that other passes have.
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = (group.y * params.grid_width + group.x) * 64u + lane;
    if (is_idle(thread)) {
        return;
    }
    let start = decode(thread / params.row);
    let l = thread % params.row;
    for (var j = params.begin; j < params.end; j++) {
        let element = start.table + place(start.entry + j * params.step_entry) + l;
        var update = scalar();
        if (params.is_scalar == 0u) {
            update = load_src(start.value + j * params.step_value + l * params.row_value_stride);
        }
        store_dst(element, combine(load_dst(element), update));
    }
}
