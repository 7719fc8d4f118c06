// Searches each element of src among the sorted edges in `index`: writes how many edges are before it, as int64. One thread per element.
#import threads
#import edge

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn element(i: u32) -> Place {
    let word = first_word(i, params.element.bits);
    return place_of(top_bits(vec2<u32>(src[word], src[word + 1u]), i, params.element.bits), params.element);
}

fn run(at: u32) {
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
