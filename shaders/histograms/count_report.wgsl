// Adds the first value that count_integers.wgsl refused to the status slot, next to its number. One thread. Values have at most 32 bits, and are
// negative: other values are known to have a place.
#import load_quads

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    if (thread_number(group, lane) > 0u || !failed()) {
        return;
    }
    let slot = params.head.slot * 4u;
    let first = ~atomicLoad(&status[slot]);
    atomicStore(&status[slot + 1u], load(first / 4u)[first % 4u]);
    atomicStore(&status[slot + 2u], 0xffffffffu);
}
