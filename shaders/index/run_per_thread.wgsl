// dst row = combine(dst row, src row) for every entry, in row-major order. `index` holds the rows of all entries, sorted,
// followed by the numbers of the entries, those of one row in order. A run is the entries that name one row; one thread per
// element of the row applies it.
//
// The first dispatch has one thread per position and element of a row; a thread at the start of a run applies the first
// `most` entries of it. Later dispatches have a thread for every `begin` positions: a run that is longer than `begin`
// contains such a position, and the thread of the first one continues the run.

struct Params {
    head: Head,
    entries: Entries,
    update: Update,
    begin: u32,       // how many entries of each run earlier dispatches have applied
    most: u32,        // how many of each run this one applies at most
    entry_count: u32,
}

fn row_at(at: u32) -> u32 {
    return index[at];
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
    let row = index[at];
    if (row == DROPPED || (at >= spacing && index[at - spacing] == row)) {
        return;
    }
    if (params.begin > 0u) {
        at = start_of_run(at, row) + params.begin;
        if (at >= params.entry_count || index[at] != row) {
            return;
        }
    }
    let element = row * params.entries.row + l;
    let stop = min(at + params.most, params.entry_count);
    var value = load_dst(element);
    loop {
        var update = scalar();
        if (params.update.is_scalar == 0u) {
            let entry = index[params.entry_count + at];
            update = load_src(decode(entry).value + l * params.entries.row_value_stride);
        }
        value = combine(value, update);
        at += 1u;
        if (at >= stop || index[at] != row) {
            break;
        }
    }
    store_dst(element, value);
}
