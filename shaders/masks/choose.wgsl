// Writes the elements of src for which the mask in `index` is `wanted`. Two passes, one for each of both tensors, fill dst. One thread per word of
// dst, which has elements, or half of one.
#import threads
#import any_element
#import pairs

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn run(thread: u32) {
    let in_a_word = max(32u / params.bits, 1u);
    let kept = 0xffffffffu >> (32u - min(params.bits, 32u));
    // What the pass before has written.
    var word = 0u;
    if (params.is_first == 0u) {
        word = dst[thread];
    }
    for (var k = 0u; k < in_a_word; k++) {
        let at = select(thread * in_a_word + k, thread / 2u, params.bits == 64u);
        let pair = pair_of(min(at, params.len - 1u)); // the last word may have fewer
        let truth = (index[pair.x / 4u] >> (8u * (pair.x % 4u))) & 0xffu;
        if ((truth != 0u) == (params.wanted == 1u)) {
            let first = first_word(pair.y, params.bits) + select(0u, thread % 2u, params.bits == 64u);
            let place = (pair.y % in_a_word) * params.bits % 32u;
            let bits = (src[first] >> place) & kept;
            let shift = k * params.bits % 32u;
            word = (word & ~(kept << shift)) | (bits << shift);
        }
    }
    dst[thread] = word;
}
