// Four neighbouring entries of an index that has one number for each, of one word, and that two loops walk in its own order. For
// passes whose parameters have members `index` and `entries`: a thread divides once for four entries, and has no loop over them.

struct Quad {
    rows: vec4<u32>,    // coordinates in the two loops, of each entry
    columns: vec4<u32>,
}

// The entries 4 * number and behind. The inner loop has four rounds at least, or the outer one has one: at most one row ends here.
fn quad_of(number: u32) -> Quad {
    let len = params.entries.loops[1].len;
    let row = number * 4u / len;
    let columns = number * 4u - row * len + vec4<u32>(0u, 1u, 2u, 3u);
    let is_next = columns >= vec4<u32>(len);
    let rows = vec4<u32>(row) + select(vec4<u32>(0u), vec4<u32>(1u), is_next);
    return Quad(rows, columns - select(vec4<u32>(0u), vec4<u32>(len), is_next));
}

// Where the entries are in the values.
fn values_of(quad: Quad) -> vec4<u32> {
    return quad.rows * params.entries.loops[0].value_stride + quad.columns * params.entries.loops[1].value_stride;
}

// The table elements that they name. They are in bounds.
fn elements_named(number: u32, quad: Quad) -> vec4<u32> {
    let first = number * 4u;
    let values = vec4<u32>(index[first], index[first + 1u], index[first + 2u], index[first + 3u]);
    let bound_stride = params.index.components[0];
    let is_negative = (values & vec4<u32>(0x80000000u)) != vec4<u32>(0u);
    let positions = select(values, values + vec4<u32>(bound_stride.x), is_negative);
    let start = quad.rows * params.entries.loops[0].table_stride + quad.columns * params.entries.loops[1].table_stride;
    return start + positions * (bound_stride.y * params.index.place_stride);
}
