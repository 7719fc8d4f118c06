// The positions of the elements of src that are not 0, tile by tile. A first dispatch writes to dst how many a tile has, and 0 behind the last
// tile. digit_scan.wgsl adds these up; then they are `index`, and a second dispatch writes the positions, and `fill` behind the last one. A
// thread has PER_THREAD elements.
#import frame
#import scan

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

const TILE: u32 = 4096u;
const PER_THREAD: u32 = TILE / WORKGROUP;

fn is_set(at: u32) -> bool {
    if (params.bits == 64u) {
        return (src[2u * at] | (src[2u * at + 1u] & params.significant)) != 0u;
    }
    let in_a_word = 32u / params.bits;
    return ((src[at / in_a_word] >> (at % in_a_word * params.bits)) & params.significant) != 0u;
}

fn put(place: u32, low: u32, high: u32) {
    if (place >= params.size) {
        return;
    }
    dst[place * params.words] = low;
    if (params.words == 2u) {
        dst[2u * place + 1u] = high;
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.len + TILE - 1u) / TILE;
    let begin = tile * TILE + lane * PER_THREAD;
    let stop = min(begin + PER_THREAD, params.len);
    var count = 0u;
    for (var at = begin; at < stop; at++) {
        count += select(0u, 1u, is_set(at));
    }
    let before = sum_before(lane, count);
    if (params.is_counting == 1u) {
        if (lane == 0u && tile <= tiles) {
            dst[tile] = sums[WORKGROUP - 1u];
        }
        return;
    }
    var place = index[min(tile, tiles)] + before;
    for (var at = begin; at < stop; at++) {
        if (is_set(at)) {
            put(place, at, 0u);
            place++;
        }
    }
    for (var at = max(begin, index[tiles]); at < begin + PER_THREAD; at++) {
        put(at, params.fill[0], params.fill[1]);
    }
}
