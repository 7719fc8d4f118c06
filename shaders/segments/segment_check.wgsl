// Finds offsets or lengths that do not divide the rows into segments: one thread per value, and one more for the end of the last segment.
// The first word of the status slot gets the complement of the number of the first, as in validate.wgsl. A second dispatch of one thread
// adds the value, and the row at which its segment begins. `src` has the ends of segments.
#import frame
#import segment_values

struct Params {
    head: Head,
    words: u32,
    rows: u32,
    segments: u32,
    is_offsets: u32, // 1 for offsets, which are one more than the segments, 0 for lengths
    is_report: u32,  // 1 for the second dispatch
}

// The row at which `count` segments end.
fn end_of(count: u32) -> u32 {
    if (count == 0u) {
        return 0u;
    }
    return src[count - 1u];
}

fn is_wrong(at: u32) -> bool {
    let values = params.segments + params.is_offsets;
    if (at == values) {
        return end_of(params.segments) != params.rows;
    }
    let number = value(at);
    if (params.is_offsets == 0u) {
        return is_negative(number) || end_of(at + 1u) > params.rows;
    }
    if (at == 0u) {
        return any(number != vec2<u32>(0u));
    }
    // Where the offset before is wrong, that one is named.
    let is_outside = is_negative(number) || wide_less(vec2<u32>(params.rows, 0u), number);
    return is_outside || wide_less(number, value(at - 1u));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = thread_number(group, lane);
    let slot = params.head.slot * 4u;
    if (at >= params.head.threads) {
        return;
    }
    if (params.is_report == 0u) {
        if (is_wrong(at)) {
            atomicMax(&status[slot], ~at);
        }
        return;
    }
    if (!failed()) {
        return;
    }
    let first = ~atomicLoad(&status[slot]);
    let number = value(min(first, params.segments + params.is_offsets - 1u));
    atomicStore(&status[slot + 1u], number.x);
    atomicStore(&status[slot + 2u], number.y);
    // The segment of offset i is segment i - 1.
    atomicStore(&status[slot + 3u], end_of(select(first, max(first, 1u) - 1u, params.is_offsets == 1u)));
}
