// dst[i] = the sum of all dst[j] with j < i, in place. One workgroup.

struct Params {
    head: Head,
    count: u32, // how many counts there are
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let share = (params.count + 255u) / 256u;
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
