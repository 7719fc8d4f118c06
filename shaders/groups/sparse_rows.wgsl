// A sparse matrix times a dense one: dst row = combine(dst row, value · src row) for every entry, in row-major order of the entries.
// `index` has what sparse_entries.wgsl wrote. A thread traverses the entries of one element's row; with GUARDED, of `each` elements' rows.
//
// The first dispatch (begin = 0) applies the first `most` entries of each row. A later dispatch has elements for every `begin`-th sorted
// entry. A row with more than `begin` entries has such an entry, and the elements of the first one continue the row.
//
// The loops over entries end by a test behind their body: a software adapter runs the body of any other loop once more, without threads.
#import element
#import combine
#ifdef NATIVE
#import native_float
#else
#import product
#ifdef GUARDED
#import native_float
#import provably_exact
#endif
#endif

// The rows of all entries, sorted: for later dispatches.
@group(0) @binding(5) var<storage, read_write> sorted: array<u32>;

fn value_at(at: u32) -> Element {
    let first = 2u * params.rows + params.entry_count;
#ifdef WIDTH_8
    return vec2<u32>(index[first + 2u * at], index[first + 2u * at + 1u]);
#else
    return index[first + at];
#endif
}

// An element of the dense matrix, times the value of the sorted entry at a position.
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

// The entries of an element that this dispatch applies: from `first` to before `stop`, none if `first` is not below `stop`.
struct Run {
    element: u32,
    in_row: u32,
    first: u32,
    stop: u32,
}

fn run_of(number: u32) -> Run {
    if (number >= params.elements) {
        return Run(0u, 0u, 0u, 0u);
    }
    var row = number / params.row;
    let in_row = number - row * params.row;
    if (params.begin > 0u) {
        let at = row * params.begin;
        row = sorted[at];
        if (row >= params.rows || (at > 0u && sorted[at - params.begin] == row)) {
            return Run(0u, 0u, 0u, 0u);
        }
    }
    let first = index[2u * row] + params.begin;
    return Run(row * params.row + in_row, in_row, first, min(index[2u * row + 1u], first + params.most));
}

// What an element begins with.
fn initial(element: u32) -> Element {
    if (params.begin > 0u || params.is_neutral == 0u) {
        return load_dst(element);
    }
    return element_of_bits(params.neutral);
}

#ifdef GUARDED
// Writes an element by the adapter's products, unless one of them is not provably exact. Returns whether one is not.
fn is_inexact(run: Run) -> bool {
    if (run.first >= run.stop) {
        return false;
    }
    var left = 0u;
    var value = initial(run.element);
    for (var at = run.first; ; at++) {
        let start = index[2u * params.rows + at];
        if (start != SKIPPED) {
            var update = load_src(start + run.in_row);
            if (params.has_values == 1u) {
                let factor = value_at(at);
                let result = native_multiply(update, factor);
                left |= inexact(update, factor, result);
                update = result;
            }
            value = combine(value, update);
        }
        if (at + 1u >= run.stop) {
            break;
        }
    }
    if ((left & SIGN) != 0u) {
        return true;
    }
    store_dst(run.element, value);
    return false;
}
#endif

fn traverse(run: Run) {
    if (run.first >= run.stop) {
        return;
    }
    var value = initial(run.element);
    for (var at = run.first; ; at++) {
        let start = index[2u * params.rows + at];
        if (start != SKIPPED) {
            value = combine(value, weighted(load_src(start + run.in_row), at));
        }
        if (at + 1u >= run.stop) {
            break;
        }
    }
    store_dst(run.element, value);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed()) {
        return;
    }
#ifdef GUARDED
    // Elements of a thread are WORKGROUP apart, so that the accesses of one step are contiguous.
    let first = (thread - lane) * params.each + lane;
    // A bit for each element with an inexact product: 1 << i for element i.
    var left = 0u;
    for (var i = 0u; ; i++) {
        left |= select(0u, 1u << i, is_inexact(run_of(first + i * WORKGROUP)));
        if (i + 1u >= params.each) {
            break;
        }
    }
    // These are computed again in integers. A software adapter runs this body even without them, so a thread with short runs has several
    // elements.
    while (left != 0u) {
        traverse(run_of(first + firstTrailingBit(left) * WORKGROUP));
        left &= left - 1u;
    }
#else
    traverse(run_of(thread));
#endif
}
