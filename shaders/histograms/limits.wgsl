// The limit of each edge: the least key of a sample that is not below the edge; of the last edge of a column, that is above it. So a bin
// search compares keys, whatever the dtypes are. Limits that no sample reaches follow, so that each step of a search finds one. One thread
// per limit. `src` has the edges of all columns, as float64. dst is zero before.
#import threads
#import sample
#import columns_of_bins
#import ordered
#import number

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

// A limit, and whether samples reach it.
struct Limit {
    key: Key,
    is_reached: bool,
}

fn limit_of(edge: vec2<u32>, is_last: bool) -> Limit {
#ifdef FROM_64
    let key = merged(key_of(edge));
    return Limit(wide_add(key, vec2<u32>(select(0u, 1u, is_last), 0u)), true);
#else
    // The nearest number of the samples' dtype, then its float64. A loop, so that the code is compiled once.
    var bits = edge;
    var nearest = 0u;
    for (var k = 0u; k < 2u; k++) {
        let from_format = select_format(k == 0u);
        let to_format = select_format(k == 1u);
        let number = take_apart(bits, from_format);
        if (to_format.exponent_bits != 0u) {
            bits = to_float(number, to_format);
        } else {
            bits = to_integer(number, to_format, true);
        }
        bits = wide_shift_left(bits, 64u - to_format.bits);
        nearest = select(nearest, bits.y, k == 0u);
    }
    let key = merged(key_of(nearest));
    let is_below = wide_less(ordered(bits), ordered(edge)) || (is_last && all(ordered(bits) == ordered(edge)));
    return Limit(key + select(0u, 1u, is_below), !(is_below && key == 0xffffffffu));
#endif
}

#ifdef FROM_64
#else
fn select_format(is_double: bool) -> Format {
    if (is_double) {
        return params.double;
    }
    return params.sample;
}
#endif

fn is_nan(bits: vec2<u32>) -> bool {
    return wide_less(vec2<u32>(0u, 0x7ff00000u), vec2<u32>(bits.x, bits.y & 0x7fffffffu));
}

fn run(number: u32) {
    var c = 0u;
    while (c + 1u < params.column_count && number >= params.columns[c + 1u].limits) {
        c++;
    }
    let column = params.columns[c];
    let at = number - column.limits;
    var limit = Limit(~Key(), true);
    if (at <= column.bins) {
        let first = 2u * (column.edges + at);
        let edge = vec2<u32>(src[first], src[first + 1u]);
        limit = limit_of(edge, at == column.bins);
        if (!limit.is_reached || is_nan(edge)) {
            // Edges ascend, so no sample reaches the later ones either. An edge that is NaN is the first: then there are no edges.
            limit.key = ~Key();
            atomicMax(&dst[c], column.bins + 1u - at);
        }
    }
#ifdef FROM_64
    atomicStore(&dst[FIRST_LIMIT + 2u * number], limit.key.x);
    atomicStore(&dst[FIRST_LIMIT + 2u * number + 1u], limit.key.y);
#else
    atomicStore(&dst[FIRST_LIMIT + number], limit.key);
#endif
}
