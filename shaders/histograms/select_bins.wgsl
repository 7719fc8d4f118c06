// Turns the places of samples into positions of a scatter, in place: dst[i] is the place of sample i in its group, from `outside` on if it has
// none. The place in all groups replaces it, or SKIPPED if it has none or if the mask skips the sample. `src` has the mask, a byte for
// each sample. One thread per sample.
#import threads

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn run(sample: u32) {
    var is_skipped = dst[sample] >= params.outside;
    if (params.has_mask == 1u) {
        is_skipped = is_skipped || ((src[sample >> 2u] >> ((sample & 3u) << 3u)) & 0xffu) == 0u;
    }
    let number = sample / (params.len * params.stride) * params.stride + sample % params.stride;
    dst[sample] = select(number * params.outside + dst[sample], SKIPPED, is_skipped);
}
