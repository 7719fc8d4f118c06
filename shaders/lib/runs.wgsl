// Runs of sorted entries: a run is all entries that name one row. A pass needs a parameter `begin`, the entries of each run that
// earlier dispatches applied, and declares `row_at(at)`, the row of the sorted entry at position `at`.
#import frame

// The position of the first entry of the run of `row` around position `at`, by a binary search. The run starts fewer than `begin` positions
// before `at`: the caller examines multiples of `begin`, and `at` is the first of them in the run.
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
