// dst row = src row for every index entry. One thread per element of a row, or per larger unit that the row is
// made of; dst is contiguous.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    len: u32, // elements of dst
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let entry = thread / params.entries.row;
    store_dst(thread, load_src(decode(entry).table + place(entry) + thread % params.entries.row));
}
