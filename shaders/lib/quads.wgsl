// Four neighbouring entries of an index that has one number for each, of one word, and that two loops walk in its own order. For
// passes whose parameters have members `index` and `entries`: a thread divides once for four entries.

struct Walk {
    row: u32,    // coordinates of the two loops
    column: u32,
    table: u32,  // where they lead in the table and the values
    value: u32,
}

fn walk_from(entry: u32) -> Walk {
    let outer = params.entries.loops[0];
    let inner = params.entries.loops[1];
    let row = entry / inner.len;
    let column = entry - row * inner.len;
    let table = row * outer.table_stride + column * inner.table_stride;
    return Walk(row, column, table, row * outer.value_stride + column * inner.value_stride);
}

// At the next entry.
fn walk_on(here: Walk) -> Walk {
    let inner = params.entries.loops[1];
    let column = here.column + 1u;
    if (column < inner.len) {
        return Walk(here.row, column, here.table + inner.table_stride, here.value + inner.value_stride);
    }
    let outer = params.entries.loops[0];
    let row = here.row + 1u;
    return Walk(row, 0u, row * outer.table_stride, row * outer.value_stride);
}

// The table element that the entry names. It is in bounds.
fn element_named(entry: u32, here: Walk) -> u32 {
    let bound_stride = params.index.components[0];
    let value = index[entry];
    let position = select(value, value + bound_stride.x, (value & 0x80000000u) != 0u) * bound_stride.y;
    return here.table + position * params.index.place_stride;
}
