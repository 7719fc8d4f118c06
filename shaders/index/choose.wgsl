// dst[k] = the row that index entry k names, if k is the last such entry; else DROPPED. `src` has the marks of mark.wgsl. One thread
// per entry.
#import rows
#import element

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (failed() || k >= params.head.threads) {
        return;
    }
    let start = decode(k);
    var row = DROPPED;
    if (!is_dropped(start.entry)) {
        row = start.table + place(start.entry);
        row = select(DROPPED, row, src[row] == k + 1u);
    }
    dst[k] = row;
}
