// dst[k] = the position of index entry k; DROPPED if the entry is left out. Values may be out of bounds, and `mode` says what they
// mean then. One thread per entry.
#import index
#import ignored
#import element

// An unsigned 64-bit value modulo `size`, by long division, bit by bit. A size of 0 gives any number.
fn remainder(low: u32, high: u32, size: u32) -> u32 {
    var rest = 0u;
    for (var bit = 0u; bit < 64u; bit++) {
        let word = select(low, high, bit < 32u);
        let carry = rest >> 31u; // the 33rd bit of the doubled rest
        rest = (rest << 1u) | ((word >> (31u - (bit & 31u))) & 1u);
        if (carry == 1u || rest >= size) {
            rest -= size;
        }
    }
    return rest;
}

// The place, from 0 to size - 1, of a signed 64-bit value along a dimension of that size; `size` if the entry is left out.
fn resolved(low: u32, high: u32, size: u32) -> u32 {
    let negative = (high & 0x80000000u) != 0u;
    let magnitude_low = select(low, 0u - low, negative);
    let magnitude_high = select(high, ~high + select(0u, 1u, low == 0u), negative);
    // Wrap.
    if (params.mode == 0u) {
        let rest = remainder(magnitude_low, magnitude_high, size);
        return select(rest, size - rest, negative && rest != 0u);
    }
    let is_within = high == 0u && low < size;
    // Clip: negative values do not count from the end.
    if (params.mode == 1u) {
        return select(select(size - 1u, low, is_within), 0u, negative);
    }
    // Drop: values from -size on count from the end.
    if (negative) {
        return select(size, size - magnitude_low, magnitude_high == 0u && magnitude_low <= size);
    }
    return select(size, low, is_within);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (k >= params.head.threads) {
        return;
    }
    if (is_ignored(k)) {
        dst[k] = DROPPED;
        return;
    }
    var sum = 0u;
    for (var c = 0u; c < params.index.component_count; c++) {
        let at = k * params.index.component_count + c;
        let bound_stride = component(c);
        let place = resolved(index_low(at), index_high(at), bound_stride.x);
        // Left out. With a bound of 0 every entry is.
        if (place >= bound_stride.x) {
            dst[k] = DROPPED;
            return;
        }
        sum += place * bound_stride.y;
    }
    dst[k] = sum;
}
