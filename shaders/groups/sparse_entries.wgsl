// Puts the entries of a sparse matrix into the order of its rows, for sparse_rows.wgsl. `index` has the column of each entry, `src` its
// value. One thread per sorted entry.
#import threads
#import index
#import element

// As words, the binding of `dst`, which this shader does not use: for each row the position of its first entry and the position after its last
// one, both 0 without entries; for each sorted entry where its row of the dense matrix begins, SKIPPED if it is left out; then the values.
@group(0) @binding(3) var<storage, read_write> words: array<u32>;
// The rows of all entries, sorted, then the numbers of the entries.
@group(0) @binding(5) var<storage, read_write> sorted: array<u32>;

fn run(at: u32) {
    let row = sorted[at];
    if (row >= params.rows) {
        return; // skipped
    }
    if (at == 0u || sorted[at - 1u] != row) {
        words[2u * row] = at;
    }
    if (at + 1u == params.entry_count || sorted[at + 1u] != row) {
        words[2u * row + 1u] = at + 1u;
    }
    let entry = sorted[params.entry_count + at];
    var begin = SKIPPED;
    if (!is_skipped(entry)) {
        begin = position_of(entry);
    }
    words[2u * params.rows + at] = begin;
    if (params.has_values == 1u) {
        let value = load_src(entry);
        let first = 2u * params.rows + params.entry_count;
#ifdef WIDTH_8
        words[first + 2u * at] = value.x;
        words[first + 2u * at + 1u] = value.y;
#else
        words[first + at] = value;
#endif
    }
}
