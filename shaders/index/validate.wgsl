// Looks for index values outside -bound .. bound-1. One thread per entry; reads 4 or 8 bytes, writes
// nothing unless one is bad. The first bad entry in row-major order wins, whatever the order of threads.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let entry = thread_number(group, lane);
    if (entry >= params.threads) {
        return;
    }
    let low = index_low(entry);
    let negative = (low & 0x80000000u) != 0u;
    // An int64 value fits 32 bits when its high word repeats the sign of the low one.
    let narrow = index_high(entry) == select(0u, 0xffffffffu, negative);
    let in_range = select(low < params.bound, (0u - low) <= params.bound, negative);
    if (!(narrow && in_range)) {
        atomicMax(&status[params.slot * 4u], ~entry);
    }
}
