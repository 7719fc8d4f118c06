// dst row = combine(dst row, src row) for up to 1,024 index entries, in row-major order, in one dispatch. Each workgroup links all
// entries in its own memory: the entries of one row form a chain. Then a thread per entry and element of a row applies the chain that
// starts at its entry, if any. The table is counted in rows; the values are elements.
#import row_of
#import update_of
#import element
#import combine

// For each entry: its row, or SKIPPED; the next entry of its chain, or entry_count at the end; and 1 if its chain starts at an earlier
// entry.
var<workgroup> rows: array<u32, 1024>;
var<workgroup> links: array<u32, 1024>;
var<workgroup> is_linked: array<u32, 1024>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Every thread links, even in a refused operation, because all must reach the barriers. Linking only reads the index and writes to
    // workgroup memory.
    let entries = params.entry_count;
    for (var k = lane; k < entries; k += WORKGROUP) {
        rows[k] = row_of(k);
        is_linked[k] = 0u;
    }
    workgroupBarrier();
    for (var k = lane; k < entries; k += WORKGROUP) {
        let row = rows[k];
        var next = k + 1u;
        while (next < entries && rows[next] != row) {
            next += 1u;
        }
        links[k] = next;
        if (next < entries) {
            is_linked[next] = 1u;
        }
    }
    workgroupBarrier();

    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    var k = thread / params.entries.row;
    let in_row = thread % params.entries.row;
    if (is_linked[k] == 1u || rows[k] == SKIPPED) {
        return;
    }
    let element = rows[k] * params.entries.row + in_row;
    var value = load_dst(element);
    while (k < entries) {
        value = combine(value, update_of(k, in_row));
        k = links[k];
    }
    store_dst(element, value);
}
