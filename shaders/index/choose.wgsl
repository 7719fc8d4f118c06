// dst[k] = the row of the table that entry k names if it is the last one to do so, else NOT_CHOSEN. `src` holds
// the marks of mark.wgsl. One thread per entry.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
}

const NOT_CHOSEN: u32 = 0xffffffffu;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (failed() || k >= params.head.threads) {
        return;
    }
    let row = decode(k).table + place(k);
    dst[k] = select(NOT_CHOSEN, row, src[row] == k + 1u);
}
