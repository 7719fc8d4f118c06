// The edges of bins of equal width between the smallest and the largest number of a column: low + i * ((high - low) / bins), as in
// NumPy, each operation rounded to a float dtype. One thread per edge. `src` has the pair. Numbers are float64, as bits,
// low word first. If such edges do not exist, the status slot gets the reason, and the edges are NaN, so that nothing
// is counted. If two neighbours are merely equal, the edges stay.
#import element
#import ordered
#import round_double
#import strict_double_divide

// `Recorded::fault` in src/engine/gpu/faults/status.rs reads these.
const NOT_FINITE: u32 = 1u;
const TOO_WIDE: u32 = 2u;
const TOO_MANY: u32 = 3u;

const ONE_HALF: u32 = 0x3fe00000u; // the high word of 0.5
const NO_EDGE: vec2<u32> = vec2<u32>(0xffffffffu, 0x7fffffffu); // a NaN

// The dtype's number nearest to a float64.
fn nearest(bits: vec2<u32>) -> vec2<u32> {
    return rounded(bits, params.exponent_bits, params.fraction_bits);
}

fn negative(bits: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(bits.x, bits.y ^ DOUBLE_SIGN);
}

fn double_of(whole: u32) -> vec2<u32> {
    if (whole == 0u) {
        return vec2<u32>();
    }
    // double_round_pack takes significand · 2^(exponent - 1023 - 63), with the significand's bit 63 set: 1054 is 1023 + 31.
    let zeros = countLeadingZeros(whole);
    return double_round_pack(0u, 1054 - i32(zeros), vec2<u32>(0u, whole << zeros));
}

fn is_zero(bits: vec2<u32>) -> bool {
    return (bits.x | (bits.y << 1u)) == 0u;
}

struct Range {
    low: vec2<u32>,
    high: vec2<u32>,
    width: vec2<u32>, // high - low
    bins: vec2<u32>,  // the number of bins, as a number of the dtype
    step: vec2<u32>,  // width / bins
}

// The edge with number `at`, from 0 to params.bins, as a float64 with the bits of `UniformEdges::at` in src/histograms/plan/uniform_edges.rs. The last
// edge is the end of the range itself, not a rounded sum.
fn edge(at: u32, range: Range) -> vec2<u32> {
    if (at == params.bins) {
        return range.high;
    }
    // If the width of a bin rounds to 0, NumPy takes the edge's share of the whole range.
    var number = nearest(double_of(at));
    var unit = range.step;
    if (is_zero(unit)) {
        number = nearest(strict_double_divide(number, range.bins));
        unit = range.width;
    }
    return nearest(strict_double_add(range.low, nearest(strict_double_multiply(number, unit))));
}

// Writes a fault to the status slot: the fault, the low and high word of its value, and the column's number plus one. The first faulty
// column keeps the slot. Threads of one column may write at the same time, but they all write the same words.
fn report(fault: u32, value: vec2<u32>) {
    let slot = params.head.slot * 4u;
    let before = atomicLoad(&status[slot + 3u]);
    if (before == 0u || before == params.column + 1u) {
        atomicStore(&status[slot], fault);
        atomicStore(&status[slot + 1u], value.x);
        atomicStore(&status[slot + 2u], value.y);
        atomicStore(&status[slot + 3u], params.column + 1u);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at >= params.head.threads) {
        return;
    }
    var ends = array<vec2<u32>, 2>(load_src(0u), load_src(1u));
    let is_low_finite = double_field(ends[0]) != 0x7ffu;
    if (!is_low_finite || double_field(ends[1]) == 0x7ffu) {
        report(NOT_FINITE, select(ends[0], ends[1], is_low_finite));
        store_dst(at, NO_EDGE);
        return;
    }
    // As in NumPy, a range of one number grows by 0.5 at both ends.
    // Loops of two rounds, here and below: otherwise each operation would be compiled twice, for seconds on some adapters.
    if (all(ordered(ends[0]) == ordered(ends[1]))) {
        for (var k = 0u; k < 2u; k++) {
            ends[k] = nearest(strict_double_add(ends[k], vec2<u32>(0u, ONE_HALF | select(0u, DOUBLE_SIGN, k == 0u))));
        }
    }
    let width = nearest(strict_double_add(ends[1], negative(ends[0])));
    let bins = nearest(double_of(params.bins));
    let range = Range(ends[0], ends[1], width, bins, nearest(strict_double_divide(width, bins)));
    if (double_field(range.step) == 0x7ffu) {
        report(TOO_WIDE, vec2<u32>());
        store_dst(at, NO_EDGE);
        return;
    }
    var edges = array<vec2<u32>, 2>(); // this edge and the next; the last edge does not use the next
    for (var k = 0u; k < 2u; k++) {
        edges[k] = edge(at + k, range);
    }
    store_dst(at, edges[0]);
    if (at < params.bins) {
        let is_above = wide_less(ordered(edges[0]), ordered(edges[1]));
        let is_equal = all(ordered(edges[0]) == ordered(edges[1]));
        if (!is_above && (params.must_rise == 1u || !is_equal)) {
            report(TOO_MANY, vec2<u32>());
        }
    }
}
