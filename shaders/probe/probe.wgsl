// Tries the adapter's float32 products at start, in chains. One thread for each chain. dst holds the bits of the number that each chain starts
// with, and in the end of its product; src has STEPS factors for each chain, which are multiplied in order. src/backend/gpu/trials/probe.rs
// compares the results with the CPU's bits. Every start of a device waits for this shader, so it is kept small.
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
        value = native_multiply(value, src[i]);
    }
    dst[chain] = value;
}
