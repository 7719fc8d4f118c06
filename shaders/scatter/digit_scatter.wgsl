// Moves rows and entry numbers to their positions, stably. `src` has the rows, then the entry numbers, and dst has the same layout.
// `index` has the result of digit_scan.wgsl: element digit * tiles + tile is the position in dst of the tile's first row with that digit.
//
// One scan over the counts of all threads, ordered by digit, then by thread, gives the position in the sorted tile of each thread's first
// row with each digit.
#import digit
#import scan

const PER_THREAD: u32 = TILE / WORKGROUP;

// For each digit: the position in dst of the tile's first row with that digit, minus the position of the same row in the sorted tile.
// Differences wrap.
var<workgroup> moves: array<u32, 16>;

fn digit_of(row: u32) -> u32 {
    return (row >> params.bit) & (DIGITS - 1u);
}

fn half_shift(digit: u32) -> u32 {
    return (digit >> 3u) * 16u;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    let begin = min(tile * TILE + lane * PER_THREAD, params.entry_count);
    let stop = min(begin + PER_THREAD, params.entry_count);
    for (var pair = 0u; pair < 8u; pair++) {
        counts[pair * WORKGROUP + lane] = 0u;
    }
    for (var at = begin; at < stop; at++) {
        let digit = digit_of(src[at]);
        counts[(digit & 7u) * WORKGROUP + lane] += 1u << half_shift(digit);
    }
    workgroupBarrier();

    // The scan: each thread has eight neighbouring words. One sum covers both halves; a tile has 4,096 rows, so the lower half does not
    // overflow into the upper one.
    var sum = 0u;
    for (var i = lane * 8u; i < lane * 8u + 8u; i++) {
        sum += counts[i];
    }
    // Digits 8 to 15, in the upper halves, come after all digits in the lower halves. The lower half of the total sum is the number of
    // the latter.
    var running = sum_before(lane, sum);
    running += sums[WORKGROUP - 1u] << 16u;
    for (var i = lane * 8u; i < lane * 8u + 8u; i++) {
        let count = counts[i];
        counts[i] = running;
        running += count;
    }
    workgroupBarrier();

    if (lane < DIGITS && tile < tiles) {
        // The first thread's count of a digit is where the digit starts in the sorted tile.
        let in_tile = (counts[(lane & 7u) * WORKGROUP] >> half_shift(lane)) & 0xffffu;
        moves[lane] = index[lane * tiles + tile] - in_tile;
    }
    workgroupBarrier();
    // Each row takes the next position of its thread and digit.
    for (var at = begin; at < stop; at++) {
        let row = src[at];
        let digit = digit_of(row);
        let counter = (digit & 7u) * WORKGROUP + lane;
        let to = moves[digit] + ((counts[counter] >> half_shift(digit)) & 0xffffu);
        counts[counter] += 1u << half_shift(digit);
        var entry = at;
        if (params.is_first == 0u) {
            entry = src[params.entry_count + at];
        }
        dst[to] = row;
        dst[params.entry_count + to] = entry;
    }
}
