// The smallest and the largest number of a column, as unsigned 64-bit integers in the order of the numbers. -0 is below +0, and NaN is
// beyond both infinities. Each workgroup writes the pair of 4,096 numbers, smallest first. The next dispatch reads these pairs instead
// of numbers, and so on until one pair is left. Numbers are float64, as bits, low word first.
#import element
#import wide

struct Params {
    head: Head,
    count: u32,    // numbers of the column, or pairs
    first: u32,    // the element of src that is the column's first number; not used for pairs
    stride: u32,   // elements of src from one number of the column to the next; not used for pairs
    is_first: u32, // 1 if src has numbers, 0 if it has an earlier dispatch's pairs
}

const TILE: u32 = 4096u;

var<workgroup> least: array<vec2<u32>, 256>;
var<workgroup> most: array<vec2<u32>, 256>;

// The integer with the order of a float64, as in `ordered`, but with -0 below +0, so that `number` in edges.wgsl can return the bits.
fn key(bits: vec2<u32>) -> vec2<u32> {
    return select(vec2<u32>(bits.x, bits.y | 0x80000000u), ~bits, (bits.y & 0x80000000u) != 0u);
}

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
            let number = key(load_src(params.first + at * params.stride));
            low = smaller(low, number);
            high = larger(high, number);
        } else {
            low = smaller(low, load_src(2u * at));
            high = larger(high, load_src(2u * at + 1u));
        }
    }
    // A tree over the threads of the workgroup: each round halves the threads.
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
