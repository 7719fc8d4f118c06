// Finds given edges that are NaN or less than the edge before, and reports the first and the reason. One thread per edge. `src` has the
// edges, as float64.
#import first_wrong
#import ordered
#import wide

// `Recorded::fault` in src/engine/gpu/faults/status.rs reads these.
const IS_NAN: u32 = 1u;
const DECREASES: u32 = 2u;

fn edge(at: u32) -> vec2<u32> {
    return vec2<u32>(src[2u * at], src[2u * at + 1u]);
}

// What is wrong with an edge; 0 for nothing.
fn reason(at: u32) -> u32 {
    let here = edge(at);
    let magnitude = vec2<u32>(here.x, here.y & 0x7fffffffu);
    if (wide_less(vec2<u32>(0u, 0x7ff00000u), magnitude)) {
        return IS_NAN;
    }
    let is_inner = at > 0u && at < params.edges;
    return select(0u, DECREASES, is_inner && wide_less(ordered(here), ordered(edge(at - 1u))));
}

fn is_wrong(at: u32) -> bool {
    return reason(at) != 0u;
}

fn report(at: u32) -> vec3<u32> {
    return vec3<u32>(edge(at), reason(at));
}
