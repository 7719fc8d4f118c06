// Sorts rows and entries by one digit, stably. One workgroup per tile. `src` holds the rows followed by the entries,
// `index` holds what digit_scan.wgsl wrote, and dst is laid out like src.
//
// A thread counts the digits of its 16 consecutive rows, two counts of 16 bits in a word: digits d and d + 8. One scan over
// all counts, ordered by digit and then by thread, gives the position in the sorted tile of each thread's first row of each
// digit.

struct Params {
    head: Head,
    bit: u32,         // the lowest bit of the digit
    entry_count: u32, // rows, as many as there are entries
    is_first: u32,    // 1 if the entries are not in src yet: they are 0, 1, 2, …
}

const TILE: u32 = 4096u;
const PER_THREAD: u32 = 16u;
const DIGITS: u32 = 16u;

var<workgroup> counts: array<u32, 2048>;
// For each digit: its start in dst minus its start in the sorted tile.
var<workgroup> moves: array<u32, 16>;

fn digit_of(row: u32) -> u32 {
    return (row >> params.bit) & (DIGITS - 1u);
}

fn half_shift(digit: u32) -> u32 {
    return (digit >> 3u) * 16u;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    let begin = min(tile * TILE + lane * PER_THREAD, params.entry_count);
    let stop = min(begin + PER_THREAD, params.entry_count);
    for (var pair = 0u; pair < 8u; pair++) {
        counts[pair * 256u + lane] = 0u;
    }
    for (var at = begin; at < stop; at++) {
        let digit = digit_of(src[at]);
        counts[(digit & 7u) * 256u + lane] += 1u << half_shift(digit);
    }
    workgroupBarrier();

    var sum = 0u;
    for (var i = lane * 8u; i < lane * 8u + 8u; i++) {
        sum += counts[i];
    }
    // Digits in upper halves come after all those in lower halves.
    var running = sum_before(lane, sum);
    running += sums[255] << 16u;
    for (var i = lane * 8u; i < lane * 8u + 8u; i++) {
        let count = counts[i];
        counts[i] = running;
        running += count;
    }
    workgroupBarrier();

    if (lane < DIGITS && tile < tiles) {
        let in_tile = (counts[(lane & 7u) * 256u] >> half_shift(lane)) & 0xffffu;
        moves[lane] = index[lane * tiles + tile] - in_tile;
    }
    workgroupBarrier();
    for (var at = begin; at < stop; at++) {
        let row = src[at];
        let digit = digit_of(row);
        let slot = (digit & 7u) * 256u + lane;
        let to = moves[digit] + ((counts[slot] >> half_shift(digit)) & 0xffffu);
        counts[slot] += 1u << half_shift(digit);
        var entry = at;
        if (params.is_first == 0u) {
            entry = src[params.entry_count + at];
        }
        dst[to] = row;
        dst[params.entry_count + to] = entry;
    }
}
