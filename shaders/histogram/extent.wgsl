// The smallest and the largest number of a column, as integers that have their order; -0 is less than 0. A workgroup for 4,096 of them
// writes a pair, and the next dispatch makes one of the pairs. Reads float64 numbers, or such pairs.

struct Params {
    head: Head,
    count: u32,  // numbers of the column, or pairs
    first: u32,  // where its first number is, and how far the next one
    stride: u32,
    is_first: u32, // 1 if they are the column's numbers, 0 for pairs
}

const TILE: u32 = 4096u;

var<workgroup> least: array<vec2<u32>, 256>;
var<workgroup> most: array<vec2<u32>, 256>;

fn smaller(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(b, a, wide_less(a, b));
}

fn larger(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less(a, b));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = group_number(group);
    let stop = min((tile + 1u) * TILE, params.count);
    var low = vec2<u32>(0xffffffffu, 0xffffffffu);
    var high = vec2<u32>(0u, 0u);
    for (var at = tile * TILE + lane; at < stop; at += 256u) {
        if (params.is_first == 1u) {
            let bits = load_src(params.first + at * params.stride);
            let number = select(vec2<u32>(bits.x, bits.y | 0x80000000u), ~bits, (bits.y & 0x80000000u) != 0u);
            low = smaller(low, number);
            high = larger(high, number);
        } else {
            low = smaller(low, load_src(2u * at));
            high = larger(high, load_src(2u * at + 1u));
        }
    }
    least[lane] = low;
    most[lane] = high;
    for (var other = 128u; other > 0u; other >>= 1u) {
        workgroupBarrier();
        if (lane < other) {
            least[lane] = smaller(least[lane], least[lane + other]);
            most[lane] = larger(most[lane], most[lane + other]);
        }
    }
    if (lane == 0u && tile * TILE < params.count) {
        store_dst(2u * tile, least[0]);
        store_dst(2u * tile + 1u, most[0]);
    }
}
