// Runs of sorted entries, those that name one row. For passes whose parameters have a member `begin`, and which declare
// `row_at`, the row of a sorted entry.

// The start of the run that contains position `at`. It is less than `begin` positions before.
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
