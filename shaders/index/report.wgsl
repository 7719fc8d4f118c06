// Adds the value of the first bad index value to the status slot, where validate.wgsl has put its number. One thread. It is a pass of its
// own: only after all threads of validate.wgsl is it known which bad value is the first, and the passes that come later are faster without
// this branch. Where a zero divisor alone was found, what this reads is no index value, and is not used.
#import values

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (thread_number(group, lane) > 0u || !failed()) {
        return;
    }
    let slot = params.head.slot * 4u;
    let first_bad = ~atomicLoad(&status[slot]);
    atomicStore(&status[slot + 1u], index_low(first_bad));
    atomicStore(&status[slot + 2u], index_high(first_bad));
}
