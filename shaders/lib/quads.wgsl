// Four neighbouring entries of an index, for passes with parameters `index` and `entries`. A thread divides once for four entries,
// without a loop over them. Every entry has one value of one word, and none is skipped. Exactly two loops walk the index in its own
// order: loops[0] is the outer one, loops[1] the inner one.
#import index
#import entries

struct Quad {
    rows: vec4<u32>,    // the coordinate of each entry in the outer loop
    columns: vec4<u32>, // and in the inner one
}

// The entries from 4 * number to 4 * number + 3. The inner loop has at least four rounds, or the outer one only one, so the four
// entries span at most two rounds of the outer loop. Entries after the last one have meaningless coordinates: passes write their
// results after the last element, or not at all.
fn quad_of(number: u32) -> Quad {
    let len = params.entries.loops[1].len;
    let row = number * 4u / len;
    let columns = number * 4u - row * len + vec4<u32>(0u, 1u, 2u, 3u);
    let is_next = columns >= vec4<u32>(len);
    let rows = vec4<u32>(row) + select(vec4<u32>(0u), vec4<u32>(1u), is_next);
    return Quad(rows, columns - select(vec4<u32>(0u), vec4<u32>(len), is_next));
}

// The element of the values that belongs to each entry.
fn values_of(quad: Quad) -> vec4<u32> {
    return quad.rows * params.entries.loops[0].value_stride + quad.columns * params.entries.loops[1].value_stride;
}

// The element of the table that each entry of quad `number` names. Index values are in bounds.
fn elements_named(number: u32, quad: Quad) -> vec4<u32> {
    let first = number * 4u;
    let values = vec4<u32>(index[first], index[first + 1u], index[first + 2u], index[first + 3u]);
    let bound_stride = params.index.components[0];
    let is_negative = (values & vec4<u32>(0x80000000u)) != vec4<u32>(0u);
    let positions = select(values, values + vec4<u32>(bound_stride.x), is_negative);
    let start = quad.rows * params.entries.loops[0].table_stride + quad.columns * params.entries.loops[1].table_stride;
    return start + positions * (bound_stride.y * params.index.slot_stride);
}
