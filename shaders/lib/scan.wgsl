var<workgroup> sums: array<u32, 256>;

// The sum of `mine` over the lanes before this one. Afterwards `sums[255]` is the sum over all lanes.
fn sum_before(lane: u32, mine: u32) -> u32 {
    sums[lane] = mine;
    workgroupBarrier();
    var running = mine;
    for (var distance = 1u; distance < 256u; distance *= 2u) {
        var before = 0u;
        if (lane >= distance) {
            before = sums[lane - distance];
        }
        workgroupBarrier();
        running += before;
        sums[lane] = running;
        workgroupBarrier();
    }
    return running - mine;
}
