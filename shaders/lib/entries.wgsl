// The loops over index entries: the slot of an entry in the table, the values and the index. For passes with a parameter `entries`.
// Rows and strides count elements, with two exceptions: passes with the parameters `Rows` and small.wgsl count the table in rows;
// gather.wgsl and commit.wgsl count in the units that they move, commit.wgsl the row and the values only.
#import frame
#import EntryLoop
#import Entries

// The slots of one entry.
struct Start {
    table: u32, // the first element of the table, without the entry's position: see `position_of` in index.wgsl
    value: u32, // the first element of the values
    entry: u32, // its number in the index
}

// The slots of combination number `number` of the loops' coordinates, in row-major order. Divisions give all coordinates but the
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
