// dst row = the combination of all src rows before it that go to the same row of the table; the neutral element for the first of them. "Before"
// is in row-major order of the entries, or backwards. dst has the layout of src. The gradient of a product needs this.
//
// `index` holds the rows of all entries, sorted, followed by the numbers of the entries, those of one row in order. Threads and dispatches
// are those of run_per_thread.wgsl.
#import entries
#import runs
#import element
#import combine

struct Params {
    head: Head,
    entries: Entries,
    neutral: vec2<u32>, // the neutral element's bits, low word first
    begin: u32,         // how many entries of each run earlier dispatches have visited
    most: u32,          // how many of each run this one visits at most
    entry_count: u32,   // index entries
    is_backward: u32,   // 1 to visit the entries from the last to the first
}

// The place in `index` of the sorted entry that is number `at` in this direction.
fn sorted(at: u32) -> u32 {
    return select(at, params.entry_count - 1u - at, params.is_backward == 1u);
}

// The row that the sorted entry that is number `at` in this direction names.
fn row_at(at: u32) -> u32 {
    return index[sorted(at)];
}

// The element of src and dst that is number `in_row` in the row of that entry.
fn value_at(at: u32, in_row: u32) -> u32 {
    return decode(index[params.entry_count + sorted(at)]).value + in_row * params.entries.row_value_stride;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let spacing = max(params.begin, 1u);
    var at = (thread / params.entries.row) * spacing;
    let in_row = thread % params.entries.row;
    let row = row_at(at);
    // The entries that are left out are one run, which is skipped. Where the entry one spacing before is in the run too, its threads do the
    // work.
    if (row == DROPPED || (at >= spacing && row_at(at - spacing) == row)) {
        return;
    }
    var before = element_of_bits(params.neutral); // the combination so far
    if (params.begin > 0u) {
        at = start_of_run(at, row) + params.begin;
        if (at >= params.entry_count || row_at(at) != row) {
            return; // the run ended before
        }
        // The combination so far follows from the last entry of the dispatch before.
        let last = value_at(at - 1u, in_row);
        before = combine(load_dst(last), load_src(last));
    }
    let stop = min(at + params.most, params.entry_count);
    loop {
        let value = value_at(at, in_row);
        store_dst(value, before);
        before = combine(before, load_src(value));
        at += 1u;
        if (at >= stop || row_at(at) != row) {
            break;
        }
    }
}
