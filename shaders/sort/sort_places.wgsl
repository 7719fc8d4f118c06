// The positions of elements along a dimension, int64, from their order: src has the sorted rows, then the numbers of their elements. One thread
// per element.
#import frame

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at >= params.head.threads) {
        return;
    }
    let row = at / params.len;
    let place = (row / params.after * params.len + at % params.len) * params.after + row % params.after;
    dst[2u * place] = src[params.head.threads + at] / params.after % params.len;
    dst[2u * place + 1u] = 0u;
}
