// dst[k] = the row that index entry k names; DROPPED if the entry is left out. One thread per entry. No pass reads dst of a refused
// operation.
#import index
#import entries
#import element

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (is_idle(k)) {
        return;
    }
    let start = decode(k);
    dst[k] = select(start.table + place(start.entry), DROPPED, is_dropped(start.entry));
}
