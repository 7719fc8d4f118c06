// A sparse matrix times a dense one: dst row = combine(dst row, value · src row) for every entry, in row-major order of the entries.
// `index` has what sparse_entries.wgsl wrote. One thread per element of dst walks the entries of its row.
//
// The first dispatch (begin = 0) applies the first `most` entries of each row. A later dispatch has threads for every `begin`-th sorted
// entry. A row with more than `begin` entries has such an entry, and the threads of the first one continue the row.
#import element
#import combine
#ifdef NATIVE
#import native_float
#else
#import product
#ifdef GUARDED
#import native_float
#import sure
#endif
#endif

struct Params {
    head: Head,
    neutral: vec2<u32>, // what a row with entries begins with, as bits, low word first, if it does not begin with dst
    is_neutral: u32,    // 1 if it begins so
    row: u32,           // elements of a row of dst and of src
    rows: u32,          // of dst
    entry_count: u32,
    has_values: u32,    // 0 if each value is 1
    begin: u32,         // the entries of each row that earlier dispatches applied
    most: u32,          // the most entries of each row in this dispatch
}

// The rows of all entries, sorted: for later dispatches.
@group(0) @binding(5) var<storage, read_write> sorted: array<u32>;

// The value of the sorted entry at a place.
fn value_at(at: u32) -> Element {
    let first = 2u * params.rows + params.entry_count;
#ifdef WIDTH_8
    return vec2<u32>(index[first + 2u * at], index[first + 2u * at + 1u]);
#else
    return index[first + at];
#endif
}

// An element of the dense matrix, times the value of the sorted entry at a place.
fn weighted(element: Element, at: u32) -> Element {
    if (params.has_values == 0u) {
        return element;
    }
#ifdef NATIVE
    return native_multiply(element, value_at(at));
#else
    return product(element, value_at(at));
#endif
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
    let number = thread / params.row;
    let in_row = thread % params.row;
    var row = number;
    if (params.begin > 0u) {
        let at = number * params.begin;
        row = sorted[at];
        if (row >= params.rows || (number > 0u && sorted[at - params.begin] == row)) {
            return;
        }
    }
    let first = index[2u * row] + params.begin;
    let stop = min(index[2u * row + 1u], first + params.most);
    if (first >= stop) {
        return;
    }
    let element = row * params.row + in_row;
    var before = element_of_bits(params.neutral);
    if (params.begin > 0u || params.is_neutral == 0u) {
        before = load_dst(element);
    }
    var value = before;
#ifdef GUARDED
    // The adapter's products, unless one of them is unsure. Then the loop below computes them all in integers: a software adapter does not
    // run a loop without a thread in it, but it would run both sides of a branch.
    var left = 0u;
    for (var at = first; at < stop; at++) {
        let start = index[2u * params.rows + at];
        if (start == DROPPED) {
            continue;
        }
        var update = load_src(start + in_row);
        if (params.has_values == 1u) {
            let factor = value_at(at);
            let result = native_multiply(update, factor);
            left |= unsure(update, factor, result);
            update = result;
        }
        value = combine(value, update);
    }
    let begin = select(stop, first, (left & SIGN) != 0u);
    value = select(value, before, begin < stop);
#else
    let begin = first;
#endif
    for (var at = begin; at < stop; at++) {
        let start = index[2u * params.rows + at];
        if (start != DROPPED) {
            value = combine(value, weighted(load_src(start + in_row), at));
        }
    }
    store_dst(element, value);
}
