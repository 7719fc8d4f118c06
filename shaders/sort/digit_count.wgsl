// dst[digit · tiles + tile] = how many rows of the tile have that digit. One workgroup per tile; `src` holds the
// rows.
//
// Passes of a sort write to temporary memory only, so that it does no harm if they run in a refused operation.

struct Params {
    head: Head,
    bit: u32,         // the lowest bit of the digit
    entry_count: u32, // rows, as many as there are entries
    is_first: u32,    // 1 if the entries are not in src yet: they are 0, 1, 2, …
}

const TILE: u32 = 4096u;
const DIGITS: u32 = 16u;

var<workgroup> counts: array<atomic<u32>, 16>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    if (lane < DIGITS) {
        atomicStore(&counts[lane], 0u);
    }
    workgroupBarrier();
    let stop = min((tile + 1u) * TILE, params.entry_count);
    for (var at = tile * TILE + lane; at < stop; at += 256u) {
        atomicAdd(&counts[(src[at] >> params.bit) & (DIGITS - 1u)], 1u);
    }
    workgroupBarrier();
    if (lane < DIGITS && tile < tiles) {
        dst[lane * tiles + tile] = atomicLoad(&counts[lane]);
    }
}
