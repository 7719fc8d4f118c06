// The loops over index entries: where an entry is in the table, the values and the index. For passes whose parameters have a member `entries`.
// Rows and strides count elements; but passes with rows.wgsl, and small.wgsl, count the table in rows, and gather.wgsl and commit.wgsl count in
// the units that they move.
#import frame

struct EntryLoop {
    len: u32,          // rounds
    table_stride: u32, // elements of the table from one round to the next
    value_stride: u32, // elements of the values
    entry_stride: u32, // entries of the index
}

struct Entries {
    loops: array<EntryLoop, 8>, // outermost first
    loop_count: u32,            // 0 to 8; the slots behind are zero
    row: u32,                   // elements of a row, which go with one entry
    row_value_stride: u32,      // elements of the values from one element of a row to the next; 0 if all share one value
    unused: u32,
}

// Where one entry is.
struct Start {
    table: u32, // the first element of the table, to which the entry's position is added: see `place` in index.wgsl
    value: u32, // the first element of the values
    entry: u32, // its number in the index
}

// In the place of the row, or of the position, of an entry that is left out.
const DROPPED: u32 = 0xffffffffu;

// Where combination `number` of the loops' coordinates is, counted in row-major order. The outermost coordinate is left over
// when the others are divided out, so a single loop costs no division.
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
