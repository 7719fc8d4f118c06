// dst row = combine(dst row, src row) for every index entry.
//
// One thread per column. Two entries can only name the same row if they differ in one particular loop of the plan, the meeting loop; a
// column is one combination of the other loops' coordinates (`entries` has these loops only), and one element of a row. The thread runs
// through the meeting loop itself, rounds params.begin to params.end, so that every element gets its updates in the row-major order of the
// CPU.
//
// There are often few columns: workgroups of 64 spread them over more cores than the usual 256 would.
#import index
#import entries
#import update
#import element
#import combine

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    begin: u32,        // the first entry of each column that this dispatch applies, counted along the column
    end: u32,          // the one after the last
    value_stride: u32, // elements of src from one entry of a column to the next
    entry_stride: u32, // entries of the index from one entry of a column to the next
}

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
        if (is_dropped(entry)) {
            continue;
        }
        let element = start.table + place(entry) + in_row;
        var update = scalar();
        if (params.update.is_scalar == 0u) {
            update = load_src(start.value + j * params.value_stride + in_row * params.entries.row_value_stride);
        }
        store_dst(element, combine(load_dst(element), update));
    }
}
