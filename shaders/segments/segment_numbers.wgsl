// dst[r] = the number of the segment that has row r: how many segments end at or before it. One thread per row. `src` has the ends.
#import frame

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = thread_number(group, lane);
    if (row >= params.head.threads) {
        return;
    }
    var passed = 0u;
    for (var step = params.step; step > 0u; step >>= 1u) {
        let next = passed + step;
        if (next <= params.segments && src[next - 1u] <= row) {
            passed = next;
        }
    }
    // In a call that is refused, ends may be wrong.
    dst[row] = min(passed, params.segments - 1u);
}
