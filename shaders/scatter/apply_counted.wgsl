// Applies the scalar to each row as often as entries name the row. `index` has these counts (mark.wgsl). One thread per element of the
// table.
#import frame
#import update
#import element
#import repeat

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let count = index[thread / params.row];
    if (count > 0u) {
        store_dst(thread, repeated(load_dst(thread), count));
    }
}
