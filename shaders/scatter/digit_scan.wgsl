// dst[i] = the sum of all dst[j] with j < i, in place. The counts of digit_count.wgsl are ordered by digit, then by tile. Each becomes
// the position, in the sorted order, of the first row with its digit in its tile. One workgroup; each thread has a share of neighbouring
// counts.
#import element
#import scan

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
    // With one workgroup this is the number of the invocation; the call also counts the dispatch as run.
    let lane = thread_number(group, invocation);
    let share = (params.count + WORKGROUP - 1u) / WORKGROUP;
    let begin = min(lane * share, params.count);
    let stop = min(begin + share, params.count);
    var sum = 0u;
    for (var i = begin; i < stop; i++) {
        sum += dst[i];
    }
    var running = sum_before(lane, sum);
    for (var i = begin; i < stop; i++) {
        let count = dst[i];
        dst[i] = running;
        running += count;
    }
}
