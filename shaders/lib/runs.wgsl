// Runs of sorted entries: a run is all entries that name one row. For passes whose parameters have a member `begin`, the entries of each
// run that earlier dispatches have done, and which declare `row_at(at)`, the row that the sorted entry at place `at` names.
#import frame

// The place of the first entry of the run of `row` that contains place `at`, found by a binary search. It is fewer than `begin` places
// before `at`: the caller looks at places that are multiples of `begin`, and `at` is the first of these in the run.
fn start_of_run(at: u32, row: u32) -> u32 {
    var low = select(0u, at + 1u - params.begin, at >= params.begin);
    var high = at;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (row_at(middle) == row) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return high;
}
