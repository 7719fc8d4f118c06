// Finds the place of each sample between edges, and counts it there, or writes the place down for a sum of weights. One thread for each
// sample; reads float64 numbers, which are compared as integers of 64 bits that have their order.

struct Params {
    head: Head,
    columns: array<Column, 8>,
    column_count: u32,
    outside: u32,     // the place of samples in no bin
    is_counting: u32, // else places are written
}

struct Column {
    first: u32, // the number of its first edge
    bins: u32,
    unused_0: u32,
    unused_1: u32,
}

// The edges of all columns, float64 numbers, are the index.
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

fn edge(at: u32) -> vec2<u32> {
    return ordered(vec2<u32>(index[2u * at], index[2u * at + 1u]));
}

// The bin, or the number of bins where there is none. NaN is beyond both infinities, which every edge is between.
fn bin(column: Column, value: vec2<u32>) -> u32 {
    // The number of edges that are not above the value.
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
