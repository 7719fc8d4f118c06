// Goes on where segments.wgsl stopped: one thread for every `begin` positions and element of a row. A run that is
// longer than that has such a position; the thread of its first one walks the run from its entry `begin` on.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.threads) {
        return;
    }
    let at = (thread / params.row) * params.begin;
    let row = index[at];
    if (at >= params.begin && index[at - params.begin] == row) {
        return;
    }
    // The run starts in low .. high.
    var low = select(0u, at + 1u - params.begin, at >= params.begin);
    var high = at;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (index[middle] == row) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    let next = high + params.begin;
    if (next < params.step_entry && index[next] == row) {
        walk(row, thread % params.row, next);
    }
}
