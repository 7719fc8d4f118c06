// Numbers the rows that entries name, for few entries and a large table. `index` has the rows of all entries, sorted, then the numbers of
// the entries. The slot of a row is the place of its first sorted entry. Writes to `dst` the slot of each entry, by its number, and to
// `rows` the row of each slot. SKIPPED stands for the slot of a skipped entry, and for the row of a place that is no slot. One
// thread per sorted entry.
#import threads
#import element

@group(0) @binding(5) var<storage, read_write> rows: array<u32>;

fn run(at: u32) {
    let row = index[at];
    // The place of the first sorted entry with this row, by a binary search.
    var low = 0u;
    var high = at;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (index[middle] < row) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    rows[at] = select(SKIPPED, row, low == at);
    dst[index[params.entry_count + at]] = select(low, SKIPPED, row == SKIPPED);
}
