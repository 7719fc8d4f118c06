// dst row = src row for every chosen entry: `index` holds what choose.wgsl wrote, so no two of them share a row.
// One thread per entry and element of a row.
const NOT_CHOSEN: u32 = 0xffffffffu;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.threads) {
        return;
    }
    let entry = thread / params.row;
    let l = thread % params.row;
    let row = index[entry];
    if (row == NOT_CHOSEN) {
        return;
    }
    store_dst(row * params.row + l, load_src(decode(entry).value + l * params.row_value_stride));
}
