// dst[place(k)] = combine(dst[place(k)], src[value(k)]) for every index entry k.
//
// One thread per column, that is per combination of the loops other than the one along the indexed
// dimension, which the thread walks itself: two entries can only meet inside one column, so this is the
// row-major order of the CPU. Loops: dst stride, src stride, index stride.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (thread >= params.threads) {
        return;
    }
    if (failed()) {
        if (thread == 0u) {
            report();
        }
        return;
    }
    let start = decode(thread);
    for (var j = params.axis_begin; j < params.axis_end; j++) {
        let place = start.table + position(start.entry + j * params.axis_index_stride) * params.place_stride;
        var value = scalar();
        if (params.is_scalar == 0u) {
            value = load_src(start.value + j * params.axis_value_stride);
        }
        store_dst(place, combine(load_dst(place), value));
    }
}
