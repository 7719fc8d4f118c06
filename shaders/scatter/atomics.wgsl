// dst row = combine(dst row, src row) for every index entry, in any order: `apply` is atomic. `span` neighbouring threads share the row
// of an entry, up to four elements each, so a thread decodes an entry once. A thread's elements are `span` apart, so neighbouring
// threads access neighbouring elements. Two variants are faster, without a loop or a branch:
//
//   QUADS  a thread per four entries, for rows of one element
//   ROWS   eight elements a thread, for the usual call: elements of one word, rows of 16, 24, 32, … elements, one loop over entries,
//          index tuples of up to two values, and no skipped entry
#import threads
#import index
#import entries
#import element
#import update
#ifdef EXACT
#import exact_add
#else
#import combine
#endif
#ifdef QUADS
#import quads
#endif

// The table as words, or with EXACT the exact sums.
@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;

// Updates element `in_row` of a row, if the row has that element. The row begins at element `row_start` of the table, and its values at
// element `values_start` of src.
fn update_one(row_start: u32, values_start: u32, in_row: u32) {
#ifdef ROWS
    apply(row_start + in_row, update_at(values_start + in_row * params.entries.row_value_stride));
#else
    if (in_row < params.entries.row) {
        apply(row_start + in_row, update_at(values_start + in_row * params.entries.row_value_stride));
    }
#endif
}

// Updates the elements of a row from `first` on, `span` apart: four, or fewer at the end of the row.
fn update_four(row_start: u32, values_start: u32, first: u32) {
    update_one(row_start, values_start, first);
    update_one(row_start, values_start, first + params.span);
    update_one(row_start, values_start, first + 2u * params.span);
    update_one(row_start, values_start, first + 3u * params.span);
}

fn run(thread: u32) {
#ifdef EXACT
    exact_copy = (thread / 32u) & (params.tile.copies - 1u);
#endif
#ifdef QUADS
    let quad = quad_of(thread);
    let elements = elements_named(thread, quad);
    let values = values_of(quad);
    // The last thread may have fewer than four entries.
    let count = params.entry_count - thread * 4u;
    apply(elements.x, update_at(values.x));
    if (count > 1u) {
        apply(elements.y, update_at(values.y));
    }
    if (count > 2u) {
        apply(elements.z, update_at(values.z));
    }
    if (count > 3u) {
        apply(elements.w, update_at(values.w));
    }
#else
    let number = thread / params.span;
    let first = thread - number * params.span;
#ifdef ROWS
    let only = params.entries.loops[0];
    let entry = number * only.entry_stride;
    // For a tuple of one value, the second component has the stride 0 and adds 0.
    let slot = (contribution(entry, 0u) + contribution(entry, 1u)) * params.index.slot_stride;
    let row_start = number * only.table_stride + slot;
    let values_start = number * only.value_stride;
    update_four(row_start, values_start, first);
    update_four(row_start, values_start, first + 4u * params.span);
#else
    let start = decode(number);
    if (!is_skipped(start.entry)) {
        update_four(start.table + position_of(start.entry), start.value, first);
    }
#endif
#endif
}
