// The whole of a pass that looks for values that are wrong, one thread for each. The first word of the status slot gets the complement of
// the number of the first, as in validate.wgsl. A second dispatch has one thread, which adds the other words.
//
// The pass declares `is_wrong(at)`, and `report(at)`: these words of the first wrong value.
#import frame

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    let slot = params.head.slot * 4u;
    if (at >= params.head.threads) {
        return;
    }
    if (params.head.is_report == 0u) {
        if (is_wrong(at)) {
            atomicMax(&status[slot], ~at);
        }
        return;
    }
    if (!failed()) {
        return;
    }
    let words = report(~atomicLoad(&status[slot]));
    atomicStore(&status[slot + 1u], words.x);
    atomicStore(&status[slot + 2u], words.y);
    atomicStore(&status[slot + 3u], words.z);
}
