// Finds edges that are less than the edge before. One thread per edge. The first word of the status slot gets the complement of the number of the
// first, as in validate.wgsl. A second dispatch of one thread adds the bits of the edge.
#import edge

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    let slot = params.head.slot * 4u;
    if (at >= params.head.threads) {
        return;
    }
    if (params.is_report == 0u) {
        if (at > 0u && place_less(edge(at), edge(at - 1u))) {
            atomicMax(&status[slot], ~at);
        }
        return;
    }
    if (!failed()) {
        return;
    }
    let bits = wide_shift_right(edge_bits(~atomicLoad(&status[slot])), 64u - params.edge.bits);
    atomicStore(&status[slot + 1u], bits.x);
    atomicStore(&status[slot + 2u], bits.y);
}
