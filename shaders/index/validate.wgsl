// Finds index values outside of -bound .. bound - 1 of their component, or of 0 .. bound - 1. One thread per value. The first word of the
// status slot gets the complement of the first bad value's number; report.wgsl adds the value. Values of a skipped entry may be
// anything.
#import index
#import ignored

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    if (at >= params.head.threads) {
        return;
    }
    let low = index_low(at);
    let negative = (low & 0x80000000u) != 0u;
    // An int64 value fits in 32 bits if its high word repeats the low word's sign.
    let is_narrow = index_high(at) == select(0u, 0xffffffffu, negative);
    let bound = component(at % params.index.component_count).x;
    let in_range = select(low < bound, params.counts_from_end != 0u && (0u - low) <= bound, negative);
    if (!(is_narrow && in_range) && !is_ignored(at / params.index.component_count)) {
        atomicMax(&status[params.head.slot * 4u], ~at);
    }
}
