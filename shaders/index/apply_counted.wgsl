// dst row = the row combined with the scalar as often as index entries name it: `index` holds a count for each row of the table, as
// count.wgsl writes them. One thread per element of the table. `repeated` combines a given number of times at
// once. Where that takes many rounds, the work is split over dispatches.
#import frame
#import update
#import element
#import repeat

struct Params {
    head: Head,
    update: Update,
    row: u32,   // elements of a row
    begin: u32, // how often earlier dispatches have applied the scalar to a row, if it is named so often
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
