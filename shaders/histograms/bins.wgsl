// Finds the bin of each sample among the limits of its columns (limits.wgsl). A sample has a number in each column. Its place in the
// histogram is the row-major number of its bins. Counts the samples per place, or adds weights that are words, or writes the places so that
// a scatter can add other weights there. One thread per sample. `index` has the limits.
#import threads
#import sample
#import columns_of_bins

@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> weights: array<u32>;

fn limit(at: u32) -> Key {
#ifdef FROM_64
    return vec2<u32>(index[FIRST_LIMIT + 2u * at], index[FIRST_LIMIT + 2u * at + 1u]);
#else
    return index[FIRST_LIMIT + at];
#endif
}

// How many limits of a column are not above the key, if that is `passed` or from `passed` + `step` to `passed` + 2 * `step` - 1: which of
// the two. A step of 0 changes nothing.
fn passed_with(column: Column, key: Key, passed: u32, step: u32) -> u32 {
    let next = passed + step;
    return select(next, passed, key_less(key, limit(column.limits + next - 1u)));
}

// The bin of a key in column c, or the number of bins if no bin has it. No bin has NaN, which is beyond both infinities. A bin includes
// its left edge, and the last bin also its right edge, because its limit is above that edge.
fn bin(c: u32, key: Key) -> u32 {
    let column = params.columns[c];
    // Bit by bit. Three steps in a round, because loops are slow on some adapters.
    var passed = 0u;
    for (var step = column.step; step > 0u; step >>= 3u) {
        passed = passed_with(column, key, passed, step);
        passed = passed_with(column, key, passed, step >> 1u);
        passed = passed_with(column, key, passed, step >> 2u);
    }
    // The largest key passes limits that no sample reaches.
    passed = min(passed, column.bins + 1u - index[c]);
    return select(passed - 1u, column.bins, passed == 0u || passed > column.bins);
}

fn run(sample: u32) {
#ifdef ONE_COLUMN
    var place = bin(0u, merged(key_of(element(sample))));
    let is_outside = place == params.columns[0].bins;
#else
    var place = 0u;
    var is_outside = false;
    for (var c = 0u; c < params.column_count; c++) {
        let bins = params.columns[c].bins;
        let found = bin(c, merged(key_of(element(sample * params.column_count + c))));
        is_outside = is_outside || found == bins;
        place = place * bins + found;
    }
#endif
    place = select(place, params.outside, is_outside);
    if (params.update == 0u) {
        atomicStore(&counts[sample], place);
    } else if (!is_outside) {
        var update = 1u;
        if (params.update == 2u) {
            update = weights[sample];
        }
        atomicAdd(&counts[place], update);
    }
}
