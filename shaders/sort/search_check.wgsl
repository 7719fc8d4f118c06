// Finds edges that are less than the edge before, and reports the bits of the first. One thread per edge.
#import edge
#import first_wrong

fn is_wrong(at: u32) -> bool {
    return at > 0u && place_less(edge(at), edge(at - 1u));
}

fn report(at: u32) -> vec3<u32> {
    return vec3<u32>(wide_shift_right(edge_bits(at), 64u - params.edge.bits), 0u);
}
