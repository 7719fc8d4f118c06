// Adds the first bad index value to the status slot, next to its number from validate.wgsl. One thread. A separate pass, because the
// first bad value is known only after all threads of validate.wgsl. If only a divisor is bad, the value is not read.
#import index
#import ignored

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (thread_number(group, lane) > 0u || !failed()) {
        return;
    }
    let slot = params.head.slot * 4u;
    let first_bad = ~atomicLoad(&status[slot]);
    atomicStore(&status[slot + 1u], index_low(first_bad));
    atomicStore(&status[slot + 2u], index_high(first_bad));
}
