// dst row = the combination of the earlier src rows that go to the same row of the table; the neutral element for the first of them.
// "Earlier" is in row-major order of the entries, or backwards. dst has the layout of src. The gradient of a product needs this scan.
//
// `index` has the rows of all entries, sorted, then the numbers of the entries; entries of one row stay in order. Threads and
// dispatches are as in run_per_thread.wgsl.
#import threads
#import entries
#import runs
#import element
#import combine

// The position in `index` of sorted entry number `at` in this direction.
fn sorted(at: u32) -> u32 {
    return select(at, params.entry_count - 1u - at, params.is_backward == 1u);
}

// The row of sorted entry number `at` in this direction.
fn row_at(at: u32) -> u32 {
    return index[sorted(at)];
}

// Element number `in_row` of that entry's row, as an element of src and dst.
fn value_at(at: u32, in_row: u32) -> u32 {
    return decode(index[params.entry_count + sorted(at)]).value + in_row * params.entries.row_value_stride;
}

fn run(thread: u32) {
    let spacing = max(params.begin, 1u);
    var at = (thread / params.entries.row) * spacing;
    let in_row = thread % params.entries.row;
    let row = row_at(at);
    // The threads of the first such entry in a run do its work: so return if the entry one spacing before is in the same run. Skipped
    // entries form one run, which needs no work.
    if (row == SKIPPED || (at >= spacing && row_at(at - spacing) == row)) {
        return;
    }
    var before = element_of_bits(params.neutral); // the combination so far
    if (params.begin > 0u) {
        at = start_of_run(at, row) + params.begin;
        if (at >= params.entry_count || row_at(at) != row) {
            return; // the run ended earlier
        }
        // The earlier dispatch's last entry gives the combination so far.
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
