// For every index entry, dst row = the src row that the entry names. dst has the rows in the order of the entries. One thread per
// element of dst, or per larger unit; then `entries` and `place` count units.
#import index
#import entries
#import element

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let start = decode(thread / params.entries.row);
    if (is_dropped(start.entry)) {
        store_dst(thread, element_of_bits(params.fill));
    } else {
        store_dst(thread, load_src(start.table + place(start.entry) + thread % params.entries.row));
    }
}
