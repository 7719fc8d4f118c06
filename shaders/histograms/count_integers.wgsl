// Counts how often each value occurs: counts[v] += 1 for each value v of src, an integer. Values from `places` on, and negative ones, are not
// counted: the status slot gets the complement of the number of the first, as in validate.wgsl. Or writes the values themselves, `places` in
// place of larger ones; then only a negative value that the mask keeps is reported. One thread per four values.
#import load_quads

@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

// Writes value number `at`. A value whose highest word is `high` is negative if that has the bit `top`.
fn write(at: u32, value: u32, high: u32) {
    let is_kept = params.has_mask == 0u || ((index[at >> 2u] >> ((at & 3u) << 3u)) & 0xffu) != 0u;
    if ((high & params.top) != 0u && is_kept) {
        atomicMax(&status[params.head.slot * 4u], ~at);
    }
    atomicStore(&counts[at], min(value, params.places));
}

fn count(at: u32, value: u32, high: u32) {
    if (at >= params.len) {
        return;
    }
    if (params.writes == 1u) {
        write(at, value, high);
    } else if (value >= params.places) {
        atomicMax(&status[params.head.slot * 4u], ~at);
    } else if (params.is_counting == 1u) {
        atomicAdd(&counts[value], 1u);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let quad = thread_number(group, lane);
    if (quad >= params.head.threads) {
        return;
    }
    var values = load(quad);
    var high = values;
#ifdef FROM_64
    // Beyond 32 bits a value is beyond all places.
    high = vec4<u32>(src_quads[2u * quad].yw, src_quads[2u * quad + 1u].yw);
    values = select(vec4<u32>(0xffffffffu), values, high == vec4<u32>(0u));
#endif
    count(4u * quad, values.x, high.x);
    count(4u * quad + 1u, values.y, high.y);
    count(4u * quad + 2u, values.z, high.z);
    count(4u * quad + 3u, values.w, high.w);
}
