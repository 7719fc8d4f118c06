// Counts how many entries name each row of the table. Counts are zero before. One thread per entry, in any order.
#import rows

@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (is_idle(k)) {
        return;
    }
    let start = decode(k);
    if (!is_dropped(start.entry)) {
        atomicAdd(&counts[start.table + place(start.entry)], 1u);
    }
}
