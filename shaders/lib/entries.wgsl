// The loops over index entries, and where an entry is in the table, the values and the index. For passes whose parameters
// have a member `entries`.

struct EntryLoop {
    len: u32,
    // Elements, and entries, from one round to the next.
    table_stride: u32,
    value_stride: u32,
    entry_stride: u32,
}

struct Entries {
    loops: array<EntryLoop, 8>, // outermost first
    loop_count: u32,
    row: u32,                   // elements that move with one entry
    row_value_stride: u32,      // from one of them to the next in the values
    unused: u32,
}

struct Start {
    table: u32,
    value: u32,
    entry: u32,
}

// In the place of the row of an entry that is left out.
const DROPPED: u32 = 0xffffffffu;

// Where combination `number` of the loops' coordinates leads. The outermost coordinate is what the other loops leave, so
// that one loop costs no division.
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
