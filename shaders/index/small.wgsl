// dst row = combine(dst row, src row) for up to 1,024 index entries, in row-major order, in one dispatch. Each workgroup
// links the entries that name the same row in workgroup memory. Then there is one thread per entry and element of a row; if
// a chain starts at its entry, the thread applies the chain.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32,
}

var<workgroup> rows: array<u32, 1024>;
var<workgroup> links: array<u32, 1024>;
var<workgroup> is_linked: array<u32, 1024>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let entries = params.entry_count;
    for (var k = lane; k < entries; k += 256u) {
        let start = decode(k);
        rows[k] = select(start.table + place(start.entry), DROPPED, is_dropped(start.entry));
        is_linked[k] = 0u;
    }
    workgroupBarrier();
    for (var k = lane; k < entries; k += 256u) {
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
    let l = thread % params.entries.row;
    if (is_linked[k] == 1u || rows[k] == DROPPED) {
        return;
    }
    let element = rows[k] * params.entries.row + l;
    var value = load_dst(element);
    while (k < entries) {
        var update = scalar();
        if (params.update.is_scalar == 0u) {
            update = load_src(decode(k).value + l * params.entries.row_value_stride);
        }
        value = combine(value, update);
        k = links[k];
    }
    store_dst(element, value);
}
