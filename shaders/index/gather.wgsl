// dst[k] = src[place(k)] for every index entry k. One thread per entry; dst is contiguous. Loops: src
// stride, unused, index stride.
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
    store_dst(thread, load_src(start.table + position(thread) * params.place_stride));
}
