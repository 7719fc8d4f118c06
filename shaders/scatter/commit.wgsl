// dst row = src row for every entry that is the last one to name its row: `marks` has its number and 1 more (mark.wgsl). So each row is
// written by one entry. One thread per entry and element of a row, or per larger unit; then the row and the values count units. With
// QUADS, a thread per four entries, for rows of one element.
#import threads
#import index
#import entries
#import element
#ifdef QUADS
#import quads
#endif

@group(0) @binding(5) var<storage, read_write> marks: array<u32>;

fn run(thread: u32) {
#ifdef QUADS
    let quad = quad_of(thread);
    let elements = elements_named(thread, quad);
    let values = values_of(quad);
    let marked = vec4<u32>(marks[elements.x], marks[elements.y], marks[elements.z], marks[elements.w]);
    // The last thread may have fewer than four entries. No mark is as large as that of an entry after the last one.
    let is_last = marked == vec4<u32>(thread * 4u) + vec4<u32>(1u, 2u, 3u, 4u);
    if (is_last.x) {
        store_dst(elements.x, load_src(values.x));
    }
    if (is_last.y) {
        store_dst(elements.y, load_src(values.y));
    }
    if (is_last.z) {
        store_dst(elements.z, load_src(values.z));
    }
    if (is_last.w) {
        store_dst(elements.w, load_src(values.w));
    }
#else
    let entry = thread / params.entries.row;
    let in_row = thread - entry * params.entries.row;
    let start = decode(entry);
    if (!is_skipped(start.entry)) {
        let row = start.table + position_of(start.entry);
        if (marks[row] == entry + 1u) {
            store_dst(row * params.entries.row + in_row, load_src(start.value + in_row * params.entries.row_value_stride));
        }
    }
#endif
}
