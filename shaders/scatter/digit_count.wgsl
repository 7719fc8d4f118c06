// dst[digit · tiles + tile] = the number of the tile's rows with that digit. `src` has the rows.
#import digit
#import element

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    for (var pair = 0u; pair < 8u; pair++) {
        counts[pair * WORKGROUP + lane] = 0u;
    }
    let stop = min((tile + 1u) * TILE, params.entry_count);
    for (var at = tile * TILE + lane; at < stop; at += WORKGROUP) {
        let digit = (src[at] >> params.bit) & (DIGITS - 1u);
        counts[(digit & 7u) * WORKGROUP + lane] += 1u << ((digit >> 3u) * 16u);
    }
    workgroupBarrier();

    // Each thread adds eight neighbours, all of one pair of digits, and leaves the sum in the first of them. A tile has 4,096 rows, so
    // 16 bits hold any sum, and the lower half never carries into the upper one.
    var sum = 0u;
    for (var i = lane * 8u; i < lane * 8u + 8u; i++) {
        sum += counts[i];
    }
    counts[lane * 8u] = sum;
    workgroupBarrier();
    // A thread per digit adds the sums of its pair.
    if (lane < DIGITS && tile < tiles) {
        var pair = 0u;
        for (var i = 0u; i < WORKGROUP; i += 8u) {
            pair += counts[(lane & 7u) * WORKGROUP + i];
        }
        dst[lane * tiles + tile] = (pair >> ((lane >> 3u) * 16u)) & 0xffffu;
    }
}
