// dst[i] = src[i] in another dtype, for every pair of dtypes: an element is taken apart into a number,
// exactly, and put together again, rounded, wrapped or cut once. All in integers: f32 may lose subnormal
// numbers, and f64 and 64-bit integers do not exist. One thread per word of dst, or per element of two words.

struct Params {
    head: Head,
    from_format: Format,
    to_format: Format,
    len: u32, // elements
}

// The formats are no constants, so that one shader serves every pair.
struct Format {
    bits: u32,
    exponent_bits: u32, // 0 for an integer
    is_signed: u32,
    is_bool: u32,
}

fn largest_exponent_field(format: Format) -> u32 {
    return (1u << format.exponent_bits) - 1u;
}

fn bias(format: Format) -> i32 {
    return i32(largest_exponent_field(format) >> 1u);
}

const ALL_BITS: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);
const ONE: vec2<u32> = vec2<u32>(1u, 0u);
const TOP_BIT: u32 = 0x80000000u;

// ±magnitude · 2^exponent, or NaN. With an exponent above 0, the magnitude's top bit is set. A NaN has the magnitude of infinity, for
// targets that do not test `is_nan`.
struct Number {
    is_negative: bool,
    is_nan: bool,
    exponent: i32,
    magnitude: vec2<u32>,
}

// Beyond the range of every dtype.
const INFINITE_EXPONENT: i32 = 4096;

// Element i of src, in the top bits: its neighbours in the word are shifted out.
fn load(i: u32, format: Format) -> vec2<u32> {
    let bytes = format.bits >> 3u;
    let word = (i >> 2u) * bytes + (((i & 3u) * bytes) >> 2u);
    if (bytes == 8u) {
        return vec2<u32>(src[word], src[word + 1u]);
    }
    let element = src[word] >> (((i * bytes) & 3u) * 8u);
    return vec2<u32>(0u, element << (32u - format.bits));
}

fn take_apart(element: vec2<u32>, format: Format) -> Number {
    let is_negative = format.is_signed == 1u && (element.y & TOP_BIT) != 0u;
    if (format.exponent_bits == 0u) {
        // The smallest integer's magnitude is itself, seen as unsigned.
        let magnitude = select(element, wide_subtract(vec2<u32>(), element), is_negative);
        return Number(is_negative, false, i32(format.bits) - 64, magnitude);
    }
    let field = (element.y << 1u) >> (32u - format.exponent_bits);
    let fraction = wide_shift_left(element, format.exponent_bits + 1u);
    if (field == largest_exponent_field(format)) {
        let is_nan = (fraction.x | fraction.y) != 0u;
        return Number(is_negative, is_nan, INFINITE_EXPONENT, vec2<u32>(0u, TOP_BIT));
    }
    var magnitude = wide_shift_right(fraction, 1u);
    if (field != 0u) {
        magnitude.y |= TOP_BIT;
    }
    return Number(is_negative, false, i32(max(field, 1u)) - bias(format) - 63, magnitude);
}

fn is_zero(number: Number) -> bool {
    return (number.magnitude.x | number.magnitude.y) == 0u;
}

// The whole part: of an integer modulo 2^bits, of a float the nearest that there is.
fn to_integer(number: Number, format: Format, is_from_float: bool) -> vec2<u32> {
    if (number.is_nan || number.exponent < -63) {
        return vec2<u32>();
    }
    var whole = ALL_BITS;
    if (number.exponent <= 0) {
        whole = wide_shift_right(number.magnitude, u32(-number.exponent));
    }
    if (is_from_float) {
        var limit = wide_shift_right(ALL_BITS, 64u - format.bits + format.is_signed);
        if (number.is_negative) {
            limit = select(vec2<u32>(), wide_add(limit, ONE), format.is_signed == 1u);
        }
        whole = select(whole, limit, wide_less(limit, whole));
    }
    let result = select(whole, wide_subtract(vec2<u32>(), whole), number.is_negative);
    return result & wide_shift_right(ALL_BITS, 64u - format.bits);
}

// The nearest float, in a tie the even one.
fn to_float(number: Number, format: Format) -> vec2<u32> {
    let fraction_bits = format.bits - 1u - format.exponent_bits;
    let infinity = wide_shift_left(vec2<u32>(largest_exponent_field(format), 0u), fraction_bits);
    if (number.is_nan) {
        return infinity | wide_shift_left(ONE, fraction_bits - 1u);
    }
    let sign = wide_shift_left(vec2<u32>(select(0u, 1u, number.is_negative), 0u), format.bits - 1u);
    if (is_zero(number)) {
        return sign;
    }
    let shift = wide_leading_zeros(number.magnitude);
    let field = number.exponent - i32(shift) + 63 + bias(format);
    var x = wide_shift_left(number.magnitude, shift);
    var base = vec2<u32>();
    if (field <= 0) {
        x = wide_shift_right_sticky(x, u32(min(1 - field, 63)));
    } else {
        // The top bit counts as one step of the exponent field.
        let steps = min(u32(field), largest_exponent_field(format)) - 1u;
        base = wide_shift_left(vec2<u32>(steps, 0u), fraction_bits);
    }
    // Two bits are left below the last place: half of it, and whether there is more.
    x = wide_shift_right_sticky(x, 61u - fraction_bits);
    var kept = wide_shift_right(x, 2u);
    if ((x.x & 3u) == 3u || (x.x & 7u) == 6u) {
        kept = wide_add(kept, ONE);
    }
    // Carries run into the exponent, and from the largest finite number into infinity.
    let rounded = wide_add(base, kept);
    return sign | select(rounded, infinity, wide_less(infinity, rounded));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (thread >= params.head.threads) {
        return;
    }
    let from_format = params.from_format;
    let to_format = params.to_format;
    let in_a_word = max(32u / to_format.bits, 1u);
    var words = vec2<u32>();
    for (var k = 0u; k < in_a_word; k++) {
        let i = thread * in_a_word + k;
        if (i >= params.len) {
            break;
        }
        let number = take_apart(load(i, from_format), from_format);
        var element = vec2<u32>(select(1u, 0u, is_zero(number)), 0u);
        if (to_format.exponent_bits != 0u) {
            element = to_float(number, to_format);
        } else if (to_format.is_bool == 0u) {
            element = to_integer(number, to_format, from_format.exponent_bits != 0u);
        }
        words |= wide_shift_left(element, k * to_format.bits);
    }
    if (to_format.bits == 64u) {
        dst[2u * thread] = words.x;
        dst[2u * thread + 1u] = words.y;
    } else {
        dst[thread] = words.x;
    }
}
