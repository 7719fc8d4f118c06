// For each element of the table, the first update that has its bits, which are the maximum or minimum. One thread per entry and element of
// its row. A word of `found` has the complement of the smallest position, so that 0 says that no update has them, and atomicMax finds it.
// `extremes` is the table after the maxima.
#import threads
#import index
#import entries
#import update
#import extremes

@group(0) @binding(3) var<storage, read_write> found: array<atomic<u32>>;

fn run(thread: u32) {
    let entry = thread / params.entries.row;
    let start = decode(entry);
    let in_row = thread - entry * params.entries.row;
    let at = start.table + position_of(start.entry) + in_row;
    if (!is_skipped(start.entry) && is_same(update_at(start.value + in_row * params.entries.row_value_stride), load_extreme(at))) {
        atomicMax(&found[at], ~((entry / params.inside) % params.rounds));
    }
}
