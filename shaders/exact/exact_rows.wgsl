// Exact sums, or means, of rows of neighbouring terms, in one pass. A workgroup has a row. Nothing is added in memory that workgroups share.
//
// A term is an integer below 2^24 times a power of two. Windows of 75 bits go down from the highest bit of any term to the lowest one. In a
// window each thread adds its terms' bits as three digits of 25 bits. These are slices of the same integers, so the sum of all windows
// is the sum of the row, and no order changes it. A row whose terms are alike has one window, and any row at most four.
#import frame
#import element
#import exact_rounding
#import exact_term

const DIGIT_BITS: u32 = 25u;
const DIGIT: i32 = 0x1ffffff;
const WINDOW_BITS: i32 = 75;

// For each thread: first its extent, as in `shared_extent`, then its digits in a window.
var<workgroup> parts: array<vec4<i32>, WORKGROUP>;
// The highest and the lowest exponent of a term that is not 0, and the flags. The highest is 0 if there is no such term.
var<workgroup> shared_extent: vec4<i32>;

// The sum so far, as `exact_layout` describes it.
var<private> words: array<u32, EXACT_WORDS>;

fn exact_word(at: u32) -> u32 {
    return words[at];
}

// The exponent of a number with these bits, so that its lowest bit is bit `exponent - 1` in units of 2^-149.
fn exponent_of(x: u32) -> u32 {
    return max((x >> 23u) & 0xffu, 1u);
}

fn is_counted(x: u32) -> bool {
    return (x & 0x7fffffffu) != 0u && (x & 0x7f800000u) != 0x7f800000u;
}

fn wider(a: vec4<i32>, b: vec4<i32>) -> vec4<i32> {
    return vec4<i32>(max(a.x, b.x), min(a.y, b.y), a.z | b.z, 0);
}

fn extent_of(row: u32, lane: u32) -> vec4<i32> {
    var extent = vec4<i32>(0, 0x7fffffff, 0, 0);
    for (var at = lane; at < params.terms; at += WORKGROUP) {
        let element = load_src(row * params.terms + at);
        let x = exact_bits(element);
        extent.z |= i32(exact_term(element).flags);
        if (is_counted(x)) {
            let exponent = i32(exponent_of(x));
            extent = wider(extent, vec4<i32>(exponent, exponent, 0, 0));
        }
    }
    return extent;
}

// The three digits of a term whose highest bit is `below` bits under the top of the window. A negative number: the window before has
// those bits.
fn digits_of(x: u32, below: i32) -> vec3<i32> {
    // With one bit more, the highest bit of a normal number is that of the first digit.
    var m = ((x & 0x7fffffu) | (min((x >> 23u) & 0xffu, 1u) << 23u)) << 1u;
    if (below < 0) {
        m = select((m << min(u32(-below), 31u)) & u32(DIGIT), 0u, below <= -i32(DIGIT_BITS));
    }
    let r = u32(max(below, 0));
    let first = m >> min(r, 31u);
    let second = select((m << (DIGIT_BITS - min(r, DIGIT_BITS))) & u32(DIGIT), m >> min(r - DIGIT_BITS, 31u), r > DIGIT_BITS);
    let far = 2u * DIGIT_BITS;
    let lowest = select((m << (far - clamp(r, DIGIT_BITS, far))) & u32(DIGIT), m >> min(r - far, 31u), r > far);
    let digits = vec3<i32>(vec3<u32>(first, second, select(0u, lowest, r > DIGIT_BITS)));
    return select(digits, -digits, vec3<bool>((x >> 31u) != 0u));
}

// A thread adds at most 64 terms, so a digit of its sum is at most 64 · (2^25 - 1) = 2^31 - 64, and the carry from the digit below it is from
// -64 to 63: both together fit 32 bits.
fn digits_in(row: u32, lane: u32, top: i32) -> vec4<i32> {
    var sum = vec3<i32>();
    for (var at = lane; at < params.terms; at += WORKGROUP) {
        let x = exact_bits(load_src(row * params.terms + at));
        if (is_counted(x)) {
            sum += digits_of(x, top - i32(exponent_of(x)));
        }
    }
    return carried(vec4<i32>(0, sum));
}

// The same number with its last three digits from 0 to 2^25 - 1.
fn carried(sum: vec4<i32>) -> vec4<i32> {
    var to = sum;
    to.z += to.w >> DIGIT_BITS;
    to.y += to.z >> DIGIT_BITS;
    to.x += to.y >> DIGIT_BITS;
    return vec4<i32>(to.x, to.yzw & vec3<i32>(DIGIT));
}

// Adds a digit whose lowest bit is bit `position`. The bits below bit 0 are 0.
fn add_digit(position: i32, digit: i32) {
    if (digit == 0) {
        return;
    }
    let sign = u32(digit >> 31u);
    let bit = position - i32(32u * EXACT_FIRST);
    let part = ((u32(digit) ^ sign) - sign) >> u32(clamp(-bit, 0, 31));
    let start = u32(max(bit, 0));
    let s = start & 31u;
    add_word(start >> 5u, part << s, sign);
    add_word((start >> 5u) + 1u, (part >> 1u) >> (31u - s), sign);
}

fn add_word(first: u32, first_part: u32, sign: u32) {
    var part = first_part;
    for (var at = first; at < EXACT_WORDS && part != 0u; at++) {
        let old = words[at];
        words[at] = old + ((part ^ sign) - sign);
        part = exact_carries(old, part, sign);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = group_number(group);
    if (row >= params.rows) {
        return;
    }
    parts[lane] = extent_of(row, lane);
    workgroupBarrier();
    // 32 threads take those of the others, then one takes theirs.
    if (lane < 32u) {
        for (var k = 1u; k < WORKGROUP / 32u; k++) {
            parts[lane] = wider(parts[lane], parts[lane + 32u * k]);
        }
    }
    workgroupBarrier();
    if (lane == 0u) {
        for (var k = 1u; k < 32u; k++) {
            parts[0] = wider(parts[0], parts[k]);
        }
        shared_extent = parts[0];
    }
    let extent = workgroupUniformLoad(&shared_extent);

    // `top`: the exponent of a number whose highest bit is that of the window.
    for (var top = extent.x; extent.x > 0 && top + 23 >= extent.y; top -= WINDOW_BITS) {
        parts[lane] = digits_in(row, lane, top);
        workgroupBarrier();
        if (lane < 32u) {
            for (var k = 1u; k < WORKGROUP / 32u; k++) {
                parts[lane] += parts[lane + 32u * k];
            }
            parts[lane] = carried(parts[lane]);
        }
        workgroupBarrier();
        if (lane == 0u) {
            for (var k = 1u; k < 32u; k++) {
                parts[0] += parts[k];
            }
            let sum = carried(parts[0]);
            add_digit(top + 23, sum.x);
            add_digit(top + 23 - 25, sum.y);
            add_digit(top + 23 - 50, sum.z);
            add_digit(top + 23 - 75, sum.w);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        store_dst(row, exact_rounded(u32(extent.z), vec2<u32>(params.divisor, 0u)));
    }
}
