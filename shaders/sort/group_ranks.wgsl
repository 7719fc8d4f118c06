// Numbers the groups of equal elements in a sorted row, tile by tile. `index` has the rows of the sort, then the numbers of the elements, which
// are in src. dst gets the number of groups that begin in each tile; then for each sorted element the number of groups that began in its
// tile so far. digit_scan.wgsl then adds up the former. A thread has PER_THREAD elements.
#import key
#import scan

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

const TILE: u32 = 4096u;
const PER_THREAD: u32 = TILE / WORKGROUP;

fn begins(at: u32) -> u32 {
    if (at == 0u) {
        return 1u;
    }
    let here = key_of(index[params.entry_count + at], params.order);
    let before = key_of(index[params.entry_count + at - 1u], params.order);
    return select(1u, 0u, all(here == before));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    let first = min(tile * TILE + lane * PER_THREAD, params.entry_count);
    let stop = min(first + PER_THREAD, params.entry_count);
    var count = 0u;
    for (var at = first; at < stop; at++) {
        count += begins(at);
        dst[tiles + at] = count;
    }
    let before = sum_before(lane, count);
    for (var at = first; at < stop; at++) {
        dst[tiles + at] += before;
    }
    if (lane == 0u && tile < tiles) {
        dst[tile] = sums[WORKGROUP - 1u];
    }
}
