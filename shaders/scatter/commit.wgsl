// dst row = src row for every entry that is the last one to name its row: `marks` has its number and 1 more (mark.wgsl). So each row is
// written by one entry. One thread per entry and element of a row, or per larger unit; then the row and the values count units.
#import index
#import entries
#import element

@group(0) @binding(5) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let entry = thread / params.entries.row;
    let start = decode(entry);
    if (is_dropped(start.entry)) {
        return;
    }
    let row = start.table + place(start.entry);
    if (marks[row] != entry + 1u) {
        return;
    }
    let in_row = thread - entry * params.entries.row;
    store_dst(row * params.entries.row + in_row, load_src(start.value + in_row * params.entries.row_value_stride));
}
