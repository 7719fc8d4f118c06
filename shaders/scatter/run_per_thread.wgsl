// dst row = combine(dst row, src row) for every index entry, in row-major order. One thread per element of a row applies its run.
//
// The first dispatch (begin = 0) has threads for every sorted entry. The threads at the start of a run apply its first `most` entries.
// A later dispatch has threads for every `begin`-th sorted entry. A run that is longer than `begin` contains such an entry, and the
// threads of the first such entry continue the run.
#import threads
#import update_of
#import runs
#import element
#import combine

fn row_at(at: u32) -> u32 {
    return index[at];
}

fn run(thread: u32) {
    let spacing = max(params.begin, 1u);
    var at = (thread / params.entries.row) * spacing;
    let in_row = thread % params.entries.row;
    let row = index[at];
    // Skipped entries come last, as one run. If the entry one spacing before is in the same run, that entry's threads do the
    // work.
    if (row == SKIPPED || (at >= spacing && index[at - spacing] == row)) {
        return;
    }
    if (params.begin > 0u) {
        at = start_of_run(at, row) + params.begin;
        // The run ended earlier.
        if (at >= params.entry_count || index[at] != row) {
            return;
        }
    }
    let element = row * params.entries.row + in_row;
    let stop = min(at + params.most, params.entry_count);
    var value = load_dst(element);
    loop {
        value = combine(value, update_of(index[params.entry_count + at], in_row));
        at += 1u;
        if (at >= stop || index[at] != row) {
            break;
        }
    }
    store_dst(element, value);
}
