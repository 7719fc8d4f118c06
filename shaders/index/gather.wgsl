// dst row = src row for every index entry. One thread per element of a row, or per larger unit that the row is
// made of; dst is contiguous.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    fill: vec2<u32>, // what an entry that is left out gives, repeated
    len: u32,        // elements of dst
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let start = decode(thread / params.entries.row);
    if (is_dropped(start.entry)) {
        store_dst(thread, element_of_bits(params.fill));
    } else {
        store_dst(thread, load_src(start.table + place(start.entry) + thread % params.entries.row));
    }
}
