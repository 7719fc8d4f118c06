// Chains of sums (even threads) and products (odd threads) in the adapter's arithmetic. dst holds the start of each chain
// and, in the end, its result; src holds what is added or multiplied in order. See src/backend/gpu/probe.rs. Every start
// waits for this shader, so it is kept small.
const STEPS: u32 = 4u;

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;
@group(0) @binding(4) var<storage, read> src: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&dst)) {
        return;
    }
    var value = dst[id.x];
    for (var i = id.x * STEPS; i < (id.x + 1u) * STEPS; i++) {
        if ((id.x & 1u) == 0u) {
            value = native_add(value, src[i]);
        } else {
            value = native_multiply(value, src[i]);
        }
    }
    dst[id.x] = value;
}
