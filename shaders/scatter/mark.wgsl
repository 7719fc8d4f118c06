// marks[row] = 1 + the number of the last index entry that names the row; 0 if no entry does. With COUNT, marks[row] = how many entries
// name the row. One thread per entry, in any order: atomicMax finds the last entry.
#import index
#import entries
#import note

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (is_idle(k)) {
        return;
    }
    let start = decode(k);
    if (!is_dropped(start.entry)) {
        note(start.table + place(start.entry), k);
    }
}
