// Tries the adapter's float32 arithmetic at start: chains of sums, of products, and of steps value * s + s, which show whether the adapter
// fuses a product with a sum that follows. `native_add` and `native_multiply` take and return bits. One thread for each chain; the three
// kinds take turns. dst holds the bits of the number that each chain starts with, and in the end of its
// result; src has STEPS numbers for each chain, which are added or multiplied in order. src/backend/gpu/trials/probe.rs compares the results with
// the CPU's bits. Every start of a device waits for this shader, so it is kept small.
struct Params {
    head: Head,
}

const STEPS: u32 = 4u; // as in probe.rs

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let chain = thread_number(group, lane);
    if (chain >= params.head.threads) {
        return;
    }
    var value = dst[chain];
    for (var i = chain * STEPS; i < (chain + 1u) * STEPS; i++) {
        if (chain % 3u == 0u) {
            value = native_add(value, src[i]);
        } else if (chain % 3u == 1u) {
            value = native_multiply(value, src[i]);
        } else {
            value = native_add(native_multiply(value, src[i]), src[i]);
        }
    }
    dst[chain] = value;
}
