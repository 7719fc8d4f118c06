// The positions of elements along a dimension, int64, from their order: src has the sorted rows, then the numbers of their elements. One thread
// per element.
#import threads

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn run(at: u32) {
    let row = at / params.len;
    let position = (row / params.after * params.len + at % params.len) * params.after + row % params.after;
    dst[2u * position] = src[params.head.threads + at] / params.after % params.len;
    dst[2u * position + 1u] = 0u;
}
