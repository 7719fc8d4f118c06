// Writes the rows that the sort compares: a word of the key of each entry, or the number of its row. dst has these, then the numbers of the
// entries. An entry is an element of src. `index` has the order of the entries so far, in the same layout. One thread per entry.
#import threads
#import key

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

// `ROW` of src/sort/gpu.rs.
const ROW: u32 = 2u;

fn run(at: u32) {
    var entry = at;
    if (params.is_first == 0u) {
        entry = index[params.entry_count + at];
    }
    var word = entry / params.after / params.len * params.after + entry % params.after;
    if (params.word != ROW) {
        let key = key_of(entry, params.order);
        word = select(key.x, key.y, params.word == 1u);
    }
    dst[at] = word;
    dst[params.entry_count + at] = entry;
}
