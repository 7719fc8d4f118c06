// dst row = the row divided by the number of its terms, where there are any: `index` holds the counts of count.wgsl. One thread
// per element of the table.

struct Params {
    head: Head,
    row: u32,         // elements of a row
    other_terms: u32, // beside those that are counted
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let count = index[thread / params.row];
    if (count > 0u) {
        let terms = count + params.other_terms;
        store_dst(thread, mean(load_dst(thread), vec2<u32>(terms, select(0u, 1u, terms < count))));
    }
}
