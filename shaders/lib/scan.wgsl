// Running sums over a workgroup.

var<workgroup> sums: array<u32, WORKGROUP>;

// The sum of `mine` over the lanes before this one. A lane is a thread's local_invocation_index. Afterwards the last of `sums` is
// the sum over all lanes. All threads of the workgroup must call this together, since it has barriers. Each round adds the sum so
// far of the lane `distance` before.
fn sum_before(lane: u32, mine: u32) -> u32 {
    sums[lane] = mine;
    workgroupBarrier();
    var running = mine;
    for (var distance = 1u; distance < WORKGROUP; distance *= 2u) {
        var before = 0u;
        if (lane >= distance) {
            before = sums[lane - distance];
        }
        // All lanes read before any writes.
        workgroupBarrier();
        running += before;
        sums[lane] = running;
        workgroupBarrier();
    }
    return running - mine;
}
