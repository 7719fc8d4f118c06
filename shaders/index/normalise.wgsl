// dst[k] = the row of the table that entry k names. One thread per entry; reads the index, writes 4 bytes.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (is_idle(k)) {
        return;
    }
    dst[k] = decode(k).table + place(k);
}
