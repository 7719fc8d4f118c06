// The smallest and the largest number of a column, as keys of sample.wgsl: -0 is below +0, and NaN is beyond both infinities. Each
// workgroup writes the pair of 4,096 numbers, smallest first. The next dispatch reads these pairs instead of numbers, and so on until one
// pair is left. That pair is written as elements.
#import sample

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

const TILE: u32 = 4096u;

var<workgroup> least: array<Key, WORKGROUP>;
var<workgroup> most: array<Key, WORKGROUP>;

fn smaller(a: Key, b: Key) -> Key {
    return select(b, a, key_less(a, b));
}

fn larger(a: Key, b: Key) -> Key {
    return select(a, b, key_less(a, b));
}

// Key number `at` of the pairs in src.
fn key_at(at: u32) -> Key {
#ifdef FROM_64
    return vec2<u32>(src[2u * at], src[2u * at + 1u]);
#else
    return src[at];
#endif
}

fn is_kept(at: u32) -> bool {
    return params.has_mask == 0u || ((index[at >> 2u] >> ((at & 3u) << 3u)) & 0xffu) != 0u;
}

fn write_pair(tile: u32, low: Key, high: Key) {
    // If no sample counts, the range is 0 to 1.
    let is_empty = key_less(high, low);
    let is_last = params.element_bits != 0u;
#ifdef FROM_64
    let ends = array<Key, 2>(select(element_of(low), Key(), is_empty), select(element_of(high), vec2<u32>(0u, params.one), is_empty));
    let pair = array<Key, 2>(select(low, ends[0], is_last), select(high, ends[1], is_last));
    for (var k = 0u; k < 2u; k++) {
        dst[4u * tile + 2u * k] = pair[k].x;
        dst[4u * tile + 2u * k + 1u] = pair[k].y;
    }
#else
    let ends = array<Key, 2>(select(element_of(low), 0u, is_empty), select(element_of(high), params.one, is_empty));
    if (params.element_bits == 0u || params.element_bits == 32u) {
        dst[2u * tile] = select(low, ends[0], is_last);
        dst[2u * tile + 1u] = select(high, ends[1], is_last);
    } else {
        // Narrow elements are at the top of a word, and two share one.
        let shift = 32u - params.element_bits;
        dst[0] = (ends[0] >> shift) | ((ends[1] >> shift) << params.element_bits);
    }
#endif
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let stop = min((tile + 1u) * TILE, params.count);
    var low = ~Key();
    var high = Key();
    for (var at = tile * TILE + lane; at < stop; at += WORKGROUP) {
        if (params.is_first == 1u) {
            if (!is_kept(at)) {
                continue;
            }
            let key = key_of(element(params.first + at * params.stride));
            low = smaller(low, key);
            high = larger(high, key);
        } else {
            low = smaller(low, key_at(2u * at));
            high = larger(high, key_at(2u * at + 1u));
        }
    }
    // A tree over the threads of the workgroup: each round halves the threads.
    least[lane] = low;
    most[lane] = high;
    for (var other = WORKGROUP / 2u; other > 0u; other >>= 1u) {
        workgroupBarrier();
        if (lane < other) {
            least[lane] = smaller(least[lane], least[lane + other]);
            most[lane] = larger(most[lane], most[lane + other]);
        }
    }
    if (lane == 0u && tile * TILE < params.count) {
        write_pair(tile, least[0], most[0]);
    }
}
