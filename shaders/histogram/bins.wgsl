// Finds the bin of each sample among the edges of its columns. A sample has a number in each column. Its place in the histogram is the
// row-major number of its bins. Counts the samples per place, or writes the places so that a scatter can add weights there. One thread
// per sample. Numbers and edges are float64, compared as 64-bit integers in their order (`ordered`).
#import frame
#import wide
#import ordered

struct Params {
    head: Head,
    columns: array<Column, 8>,
    column_count: u32,
    outside: u32,     // the place of samples outside of all bins: the number of places
    is_counting: u32, // 1 to count samples, 0 to write their places
}

struct Column {
    first: u32, // the number of its first edge among those of all columns
    bins: u32,  // the number of its bins, one fewer than its edges
    unused_0: u32,
    unused_1: u32,
}

// The counts of places, or the place of each sample. `index` has the edges of all columns and `src` the samples, all float64.
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

// Edge number `at`.
fn edge(at: u32) -> vec2<u32> {
    return ordered(vec2<u32>(index[2u * at], index[2u * at + 1u]));
}

// The bin of a value in a column, or the number of bins if no bin has it. No bin has NaN: NaN is ordered above +∞ or below -∞, and no
// accepted call has a NaN edge. A bin includes its left edge, and the last bin also its right edge.
fn bin(column: Column, value: vec2<u32>) -> u32 {
    // A binary search for the number of edges that are not above the value.
    var below = 0u;
    var above = column.bins + 1u;
    while (below < above) {
        let middle = (below + above) / 2u;
        if (wide_less(value, edge(column.first + middle))) {
            above = middle;
        } else {
            below = middle + 1u;
        }
    }
    // An edge is above the value: the bin before this edge has the value; before the first edge, no bin.
    if (below <= column.bins) {
        return select(below - 1u, column.bins, below == 0u);
    }
    let is_last = all(value == edge(column.first + column.bins));
    return select(column.bins, column.bins - 1u, is_last && column.bins > 0u);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let sample = thread_number(group, lane);
    if (sample >= params.head.threads) {
        return;
    }
    var place = 0u;
    for (var c = 0u; c < params.column_count; c++) {
        let at = 2u * (sample * params.column_count + c);
        let column = params.columns[c];
        let found = bin(column, ordered(vec2<u32>(src[at], src[at + 1u])));
        if (found == column.bins) {
            place = params.outside;
            break;
        }
        place = place * column.bins + found;
    }
    if (params.is_counting == 0u) {
        atomicStore(&counts[sample], place);
    } else if (place != params.outside) {
        atomicAdd(&counts[place], 1u);
    }
}
