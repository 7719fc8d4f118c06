// Searches each element of src among the sorted edges in `index`: writes how many edges are before it, as int64. One thread per element.
#import edge

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn element(i: u32) -> Place {
    let word = word_of(i, params.element.bits);
    if (params.element.bits == 64u) {
        return place_of(vec2<u32>(src[word.x], src[word.x + 1u]), params.element);
    }
    let bits = (src[word.x] << word.y) & ~(0x7fffffffu >> (params.element.bits - 1u));
    return place_of(vec2<u32>(0u, bits), params.element);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at >= params.head.threads) {
        return;
    }
    let place = element(at);
    var passed = 0u;
    for (var step = params.step; step > 0u; step >>= 1u) {
        let next = passed + step;
        if (next <= params.edge_count) {
            let edge = edge(next - 1u);
            let is_before = place_less(edge, place) || (params.is_right == 1u && !place_less(place, edge));
            passed = select(passed, next, is_before);
        }
    }
    dst[2u * at] = passed;
    dst[2u * at + 1u] = 0u;
}
