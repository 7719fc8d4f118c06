// The edges of bins of equal width between the smallest and the largest number of a column: low + i * ((high - low) / bins), each
// operation rounded to a float dtype. One thread for each edge; src is the pair of extent.wgsl. Where there are no such edges, the status
// slot has why, and they are NaN, so that nothing is counted.

struct Params {
    head: Head,
    bins: u32,
    exponent_bits: u32, // of the dtype
    fraction_bits: u32,
    must_rise: u32, // whether edges may not be equal
    column: u32,
}

// As `decode` in src/backend/gpu/status.rs reads them.
const NOT_FINITE: u32 = 1u;
const TOO_WIDE: u32 = 2u;
const TOO_MANY: u32 = 3u;

const ONE_HALF: u32 = 0x3fe00000u;

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
    let zeros = countLeadingZeros(whole);
    return double_round_pack(0u, 1054 - i32(zeros), vec2<u32>(0u, whole << zeros));
}

// A number of extent.wgsl.
fn number(key: vec2<u32>) -> vec2<u32> {
    return select(~key, vec2<u32>(key.x, key.y ^ DOUBLE_SIGN), (key.y & DOUBLE_SIGN) != 0u);
}

fn is_zero(bits: vec2<u32>) -> bool {
    return (bits.x | (bits.y << 1u)) == 0u;
}

fn edge(at: u32, low: vec2<u32>, high: vec2<u32>, width: vec2<u32>, step: vec2<u32>) -> vec2<u32> {
    if (at == params.bins) {
        return high;
    }
    // A width below the smallest number is no step: NumPy takes the share of the whole then.
    var number = nearest(double_of(at));
    var unit = step;
    if (is_zero(step)) {
        number = nearest(strict_double_divide(number, nearest(double_of(params.bins))));
        unit = width;
    }
    return nearest(strict_double_add(low, nearest(strict_double_multiply(number, unit))));
}

// The first column that has no edges keeps the slot: a slot is the fault, its number, and the number of the column plus one.
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

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at >= params.head.threads) {
        return;
    }
    var low = number(load_src(0u));
    var high = number(load_src(1u));
    let is_low_finite = double_field(low) != 0x7ffu;
    if (!is_low_finite || double_field(high) == 0x7ffu) {
        report(NOT_FINITE, select(low, high, is_low_finite));
        store_dst(at, vec2<u32>(0xffffffffu, 0x7fffffffu));
        return;
    }
    if (all(ordered(low) == ordered(high))) {
        low = nearest(strict_double_add(low, vec2<u32>(0u, ONE_HALF | DOUBLE_SIGN)));
        high = nearest(strict_double_add(high, vec2<u32>(0u, ONE_HALF)));
    }
    let width = nearest(strict_double_add(high, negative(low)));
    let step = nearest(strict_double_divide(width, nearest(double_of(params.bins))));
    if (double_field(step) == 0x7ffu) {
        report(TOO_WIDE, vec2<u32>());
        store_dst(at, vec2<u32>(0xffffffffu, 0x7fffffffu));
        return;
    }
    let here = edge(at, low, high, width, step);
    store_dst(at, here);
    if (at < params.bins) {
        let next = edge(at + 1u, low, high, width, step);
        let is_above = wide_less(ordered(here), ordered(next));
        let is_equal = all(ordered(here) == ordered(next));
        if (!is_above && (params.must_rise == 1u || !is_equal)) {
            report(TOO_MANY, vec2<u32>());
        }
    }
}
