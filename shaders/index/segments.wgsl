// dst row = combine(dst row, src row) for every entry, in row-major order: `index` holds the rows of all entries,
// sorted, and behind them the entries, those of a row in their order. One thread per position and element of a
// row; those at which a run of one row starts walk it. Loops: dst stride, src stride, index stride. Parameters:
// end: how many entries a thread walks at most; step_entry: how many there are.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.threads) {
        return;
    }
    let first = thread / params.row;
    let row = index[first];
    if (first > 0u && index[first - 1u] == row) {
        return;
    }
    walk(row, thread % params.row, first);
}
