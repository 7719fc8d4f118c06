// dst[i] = the sum of all dst[j] with j < i, in place. The counts of digit_count.wgsl are ordered by digit, then by tile. Each becomes
// the position, in the sorted order, of the first row with its digit in its tile. One workgroup. In each round its threads take
// neighbouring quads of counts, and `carry` is the sum of all rounds before. The last quad may have words behind the counts, which stay.
#import frame
#import scan

@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
    // With one workgroup this is the number of the invocation; the call also counts the dispatch as run.
    let lane = thread_number(group, invocation);
    var carry = 0u;
    for (var first = 0u; first < params.count; first += 4u * WORKGROUP) {
        let at = first + 4u * lane;
        var quad = vec4<u32>();
        if (at < params.count) {
            quad = dst[at / 4u];
        }
        let is_count = at + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(params.count);
        let counts = select(vec4<u32>(), quad, is_count);
        let before = vec3<u32>(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
        let running = carry + sum_before(lane, before.z + counts.w);
        if (at < params.count) {
            dst[at / 4u] = select(quad, running + vec4<u32>(0u, before), is_count);
        }
        carry += sums[WORKGROUP - 1u];
        // All threads read the last sum before the next round changes it.
        workgroupBarrier();
    }
}
