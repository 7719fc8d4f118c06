// Links the entries that name one row to a list. `lists` has for each entry the one that was linked before it, then for each row the one
// that was linked last; each as 1 + its number, 0 for none. One thread per entry, in any order, so a list has any order.
#import threads
#import row_of

@group(0) @binding(3) var<storage, read_write> lists: array<atomic<u32>>;

fn run(k: u32) {
    let row = row_of(k);
    if (row != SKIPPED) {
        atomicStore(&lists[k], atomicExchange(&lists[params.entry_count + row], k + 1u));
    }
}
