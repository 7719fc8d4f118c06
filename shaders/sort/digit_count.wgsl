// dst[digit · tiles + tile] = how many rows of the tile have that digit. One workgroup per tile; `src` holds the
// rows.
//
// A thread counts the digits of its rows in counters of its own, two of 16 bits in a word, digits d and d + 8, as in
// digit_scatter.wgsl; then they are added up. Atomic counters for all threads would be less code, but some drivers of mobile
// GPUs lose additions to workgroup memory.
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

var<workgroup> counts: array<u32, 2048>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    for (var pair = 0u; pair < 8u; pair++) {
        counts[pair * 256u + lane] = 0u;
    }
    let stop = min((tile + 1u) * TILE, params.entry_count);
    for (var at = tile * TILE + lane; at < stop; at += 256u) {
        let digit = (src[at] >> params.bit) & (DIGITS - 1u);
        counts[(digit & 7u) * 256u + lane] += 1u << ((digit >> 3u) * 16u);
    }
    workgroupBarrier();

    // Each thread adds eight neighbours, all of one pair of digits. A tile has 4096 rows: 16 bits hold any sum.
    var sum = 0u;
    for (var i = lane * 8u; i < lane * 8u + 8u; i++) {
        sum += counts[i];
    }
    counts[lane * 8u] = sum;
    workgroupBarrier();
    if (lane < DIGITS && tile < tiles) {
        var pair = 0u;
        for (var i = 0u; i < 256u; i += 8u) {
            pair += counts[(lane & 7u) * 256u + i];
        }
        dst[lane * tiles + tile] = (pair >> ((lane >> 3u) * 16u)) & 0xffffu;
    }
}
