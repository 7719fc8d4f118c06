// The loops over index entries: the place of an entry in the table, the values and the index. For passes with a parameter `entries`.
// Rows and strides count elements, with two exceptions: passes with rows.wgsl and small.wgsl count the table in rows; gather.wgsl and
// commit.wgsl count in the units that they move, commit.wgsl the row and the values only.
#import frame

struct EntryLoop {
    len: u32,          // rounds
    table_stride: u32, // elements of the table from one round to the next
    value_stride: u32, // elements of the values
    entry_stride: u32, // entries of the index
}

struct Entries {
    loops: array<EntryLoop, 8>, // outermost first
    loop_count: u32,            // 0 to 8; the other slots are zero
    row: u32,                   // elements of one entry's row
    row_value_stride: u32,      // elements of the values from one element of a row to the next; 0 if all share one value
    unused: u32,
}

// The places of one entry.
struct Start {
    table: u32, // the first element of the table, without the entry's position: see `place` in index.wgsl
    value: u32, // the first element of the values
    entry: u32, // its number in the index
}

// The places of combination number `number` of the loops' coordinates, in row-major order. Divisions give all coordinates but the
// outermost, so a single loop needs no division.
fn decode(number: u32) -> Start {
    var rest = number;
    var start = Start(0u, 0u, 0u);
    for (var l = params.entries.loop_count; l > 1u; l--) {
        let next = params.entries.loops[l - 1u];
        let outer = rest / next.len;
        let coordinate = rest - outer * next.len;
        rest = outer;
        start.table += coordinate * next.table_stride;
        start.value += coordinate * next.value_stride;
        start.entry += coordinate * next.entry_stride;
    }
    let outermost = params.entries.loops[0];
    start.table += rest * outermost.table_stride;
    start.value += rest * outermost.value_stride;
    start.entry += rest * outermost.entry_stride;
    return start;
}
