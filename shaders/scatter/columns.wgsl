// dst row = combine(dst row, src row) for every index entry, in row-major order.
//
// Two entries can name the same row only if they differ in one loop of the plan, the colliding loop. A column is one combination of the
// other loops' coordinates and one element of a row. A thread traverses the colliding loop of its column from params.begin to params.end;
// `entries` has the other loops. Columns are often few: workgroups of 64 spread them over more cores than larger ones.
#import index
#import entries
#import update
#import element
#import combine

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = group_number(group) * 64u + lane;
    if (is_idle(thread)) {
        return;
    }
    let start = decode(thread / params.entries.row);
    let in_row = thread % params.entries.row;
    for (var j = params.begin; j < params.end; j++) {
        let entry = start.entry + j * params.entry_stride;
        if (is_skipped(entry)) {
            continue;
        }
        let element = start.table + position_of(entry) + in_row;
        var update = scalar();
        if (params.update.is_scalar == 0u) {
            update = load_src(start.value + j * params.value_stride + in_row * params.entries.row_value_stride);
        }
        store_dst(element, combine(load_dst(element), update));
    }
}
