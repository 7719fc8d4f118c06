// Finds offsets or lengths that do not divide the rows into segments: one thread per value, and one more for the end of the last segment.
// Reports the first, and the row at which its segment begins. `src` has the ends of segments.
#import first_wrong
#import segment_values

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

fn report(at: u32) -> vec3<u32> {
    let number = value(min(at, params.segments + params.is_offsets - 1u));
    // The segment of offset i is segment i - 1.
    return vec3<u32>(number, end_of(select(at, max(at, 1u) - 1u, params.is_offsets == 1u)));
}
