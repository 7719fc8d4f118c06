// dst row = the combination of the src rows that go to the same row of the table before it, in row-major order or backwards.
// `index` is as in run_per_thread.wgsl, and so are the dispatches and their threads. dst has the layout of src.

struct Params {
    head: Head,
    entries: Entries,
    neutral: vec2<u32>, // its bits, low word first
    begin: u32,         // how many entries of each run earlier dispatches have visited
    most: u32,          // how many of each run this one visits at most
    entry_count: u32,
    is_backward: u32,
}

// Where sorted entry `at` of this direction is.
fn sorted(at: u32) -> u32 {
    return select(at, params.entry_count - 1u - at, params.is_backward == 1u);
}

fn row_at(at: u32) -> u32 {
    return index[sorted(at)];
}

// Where element l of the row of a sorted entry is in the values.
fn value_at(at: u32, l: u32) -> u32 {
    return decode(index[params.entry_count + sorted(at)]).value + l * params.entries.row_value_stride;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let spacing = max(params.begin, 1u);
    var at = (thread / params.entries.row) * spacing;
    let l = thread % params.entries.row;
    let row = row_at(at);
    if (row == DROPPED || (at >= spacing && row_at(at - spacing) == row)) {
        return;
    }
    var before = element_of_bits(params.neutral);
    if (params.begin > 0u) {
        at = start_of_run(at, row) + params.begin;
        if (at >= params.entry_count || row_at(at) != row) {
            return;
        }
        let last = value_at(at - 1u, l);
        before = combine(load_dst(last), load_src(last));
    }
    let stop = min(at + params.most, params.entry_count);
    loop {
        let value = value_at(at, l);
        store_dst(value, before);
        before = combine(before, load_src(value));
        at += 1u;
        if (at >= stop || row_at(at) != row) {
            break;
        }
    }
}
