// Moves rows and entry numbers to their positions, stably. `src` has the rows, then the entry numbers, and dst has the same layout.
// `index` has the result of digit_scan.wgsl: element digit * tiles + tile is the position in dst of the tile's first row with that digit.
//
// One scan over the counts of all threads, ordered by digit, then by thread, gives the position in the sorted tile of each thread's first
// row with each digit.
//
// A thread has neighbouring rows. It loads them and their entries once, four at a time, and keeps them in registers. So no loop runs over
// them: compilers need not unroll one, and an array whose elements are not named by constants is in memory.
#import digit
#import scan

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;
@group(0) @binding(4) var<storage, read> src_quads: array<vec4<u32>>;

const PER_THREAD: u32 = TILE / WORKGROUP;

// Sixteen neighbouring rows and the numbers of their entries.
struct Held {
    rows: array<vec4<u32>, 4>,
    entries: array<vec4<u32>, 4>,
}

// For each digit: the position in dst of the tile's first row with that digit, minus the position of the same row in the sorted tile.
// Differences wrap.
var<workgroup> moves: array<u32, 16>;

fn digit_of(row: u32) -> u32 {
    return (row >> params.bit) & (DIGITS - 1u);
}

fn half_shift(digit: u32) -> u32 {
    return (digit >> 3u) * 16u;
}

// The quad of src with this number; behind the last one, the last one.
fn quad_of_src(number: u32) -> vec4<u32> {
    return src_quads[min(number, (params.entry_count * (2u - params.is_first) - 1u) / 4u)];
}

// The numbers of the entries from `at` on, a multiple of four. They begin behind the rows, in the middle of a quad.
fn entries_from(at: u32) -> vec4<u32> {
    if (params.is_first == 1u) {
        return at + vec4<u32>(0u, 1u, 2u, 3u);
    }
    let word = params.entry_count + at;
    let low = quad_of_src(word / 4u);
    let high = quad_of_src(word / 4u + 1u);
    switch (word % 4u) {
        case 1u: { return vec4<u32>(low.yzw, high.x); }
        case 2u: { return vec4<u32>(low.zw, high.xy); }
        case 3u: { return vec4<u32>(low.w, high.xyz); }
        default: { return low; }
    }
}

fn held_from(at: u32) -> Held {
    var held: Held;
    held.rows[0] = quad_of_src(at / 4u);
    held.rows[1] = quad_of_src(at / 4u + 1u);
    held.rows[2] = quad_of_src(at / 4u + 2u);
    held.rows[3] = quad_of_src(at / 4u + 3u);
    held.entries[0] = entries_from(at);
    held.entries[1] = entries_from(at + 4u);
    held.entries[2] = entries_from(at + 8u);
    held.entries[3] = entries_from(at + 12u);
    return held;
}

// Counts the digits of the rows from `at` on, as far as there are rows.
fn count_all(held: Held, at: u32, lane: u32) {
    count_quad(held.rows[0], at, lane);
    count_quad(held.rows[1], at + 4u, lane);
    count_quad(held.rows[2], at + 8u, lane);
    count_quad(held.rows[3], at + 12u, lane);
}

fn count_quad(rows: vec4<u32>, at: u32, lane: u32) {
    count_row(rows.x, at, lane);
    count_row(rows.y, at + 1u, lane);
    count_row(rows.z, at + 2u, lane);
    count_row(rows.w, at + 3u, lane);
}

fn count_row(row: u32, at: u32, lane: u32) {
    if (at < params.entry_count) {
        let digit = digit_of(row);
        counts[(digit & 7u) * WORKGROUP + lane] += 1u << half_shift(digit);
    }
}

// Moves these rows and entries. Each row takes the next position of its thread and digit.
fn move_all(held: Held, at: u32, lane: u32) {
    move_quad(held.rows[0], held.entries[0], at, lane);
    move_quad(held.rows[1], held.entries[1], at + 4u, lane);
    move_quad(held.rows[2], held.entries[2], at + 8u, lane);
    move_quad(held.rows[3], held.entries[3], at + 12u, lane);
}

fn move_quad(rows: vec4<u32>, entries: vec4<u32>, at: u32, lane: u32) {
    move_row(rows.x, entries.x, at, lane);
    move_row(rows.y, entries.y, at + 1u, lane);
    move_row(rows.z, entries.z, at + 2u, lane);
    move_row(rows.w, entries.w, at + 3u, lane);
}

fn move_row(row: u32, entry: u32, at: u32, lane: u32) {
    if (at < params.entry_count) {
        let digit = digit_of(row);
        let counter = (digit & 7u) * WORKGROUP + lane;
        let to = moves[digit] + ((counts[counter] >> half_shift(digit)) & 0xffffu);
        counts[counter] += 1u << half_shift(digit);
        dst[to] = row;
        dst[params.entry_count + to] = entry;
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    let begin = tile * TILE + lane * PER_THREAD;
    let held = held_from(begin);
#ifdef SMALL_WORKGROUP
    let more = held_from(begin + 16u);
#endif
    for (var pair = 0u; pair < 8u; pair++) {
        counts[pair * WORKGROUP + lane] = 0u;
    }
    count_all(held, begin, lane);
#ifdef SMALL_WORKGROUP
    count_all(more, begin + 16u, lane);
#endif
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
    move_all(held, begin, lane);
#ifdef SMALL_WORKGROUP
    move_all(more, begin + 16u, lane);
#endif
}
