// dst row = the row combined with the scalar as often as entries name it: `index` holds the counts of count.wgsl.
// One thread per element of the table.

struct Params {
    head: Head,
    update: Update,
    row: u32,   // elements of a row
    begin: u32, // how often earlier dispatches have applied the scalar
    most: u32,  // how often this one does at most
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let count = index[thread / params.row];
    if (count > params.begin) {
        store_dst(thread, repeated(load_dst(thread), min(count - params.begin, params.most)));
    }
}
