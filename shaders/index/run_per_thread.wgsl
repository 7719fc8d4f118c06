// dst row = combine(dst row, src row) for every entry, in row-major order: `index` holds the rows of all entries,
// sorted, and behind them the entries, those of a row in their order. A run of entries that name one row is
// walked by one thread per element of the row.
//
// The first dispatch has one thread per position and element of a row; those at which a run starts walk it. Later
// ones have a thread for every `begin` positions: a run that is longer than that has such a position, and the
// thread of its first one goes on.

struct Params {
    head: Head,
    entries: Entries,
    update: Update,
    begin: u32,       // how many entries of each run earlier dispatches have applied
    most: u32,        // how many of each run this one applies at most
    entry_count: u32,
}

// Where the run around position `at` starts, which is less than `begin` positions before.
fn start_of_run(at: u32, row: u32) -> u32 {
    var low = select(0u, at + 1u - params.begin, at >= params.begin);
    var high = at;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (index[middle] == row) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return high;
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
    if (at >= spacing && index[at - spacing] == row) {
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
