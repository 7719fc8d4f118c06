// Counts how often each value occurs: counts[v] += 1 for each value v of src, an integer. Values from `places` on, and negative ones, are not
// counted: the status slot gets the complement of the number of the first, as in validate.wgsl. One thread per four values.
#import load_quads

struct Params {
    head: Head,
    sign: u32,
    places: u32,
    len: u32,         // values
    is_counting: u32, // 0 to look for such values only
}

@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

// Counts value number `at`, if there is one.
fn count(at: u32, value: u32) {
    if (at >= params.len) {
        return;
    }
    if (value >= params.places) {
        atomicMax(&status[params.head.slot * 4u], ~at);
    } else if (params.is_counting == 1u) {
        atomicAdd(&counts[value], 1u);
    }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let quad = thread_number(group, lane);
    if (quad >= params.head.threads) {
        return;
    }
    var values = load(quad);
#ifdef FROM_64
    // Beyond 32 bits a value is beyond all places.
    let high = vec4<u32>(src_quads[2u * quad].yw, src_quads[2u * quad + 1u].yw);
    values = select(vec4<u32>(0xffffffffu), values, high == vec4<u32>(0u));
#endif
    count(4u * quad, values.x);
    count(4u * quad + 1u, values.y);
    count(4u * quad + 2u, values.z);
    count(4u * quad + 3u, values.w);
}
