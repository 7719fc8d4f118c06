// dst[i] = the sum of all dst[j] with j < i, in place. One workgroup. Parameters: end: how many there are.
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let share = (params.end + 255u) / 256u;
    let begin = min(lane * share, params.end);
    let stop = min(begin + share, params.end);
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
