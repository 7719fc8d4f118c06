// dst row = src row for every chosen entry. `index` has the row of each entry, or DROPPED (choose.wgsl). No row occurs twice. One
// thread per entry and element of a row, or per larger unit; then `entries` counts units.
#import entries
#import element

struct Params {
    head: Head,
    entries: Entries,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let entry = thread / params.entries.row;
    let in_row = thread % params.entries.row;
    let row = index[entry];
    if (row == DROPPED) {
        return;
    }
    store_dst(row * params.entries.row + in_row, load_src(decode(entry).value + in_row * params.entries.row_value_stride));
}
