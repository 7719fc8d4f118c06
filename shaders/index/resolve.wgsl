// dst[k] = the position of index entry k; SKIPPED if the entry is skipped, or if another index with as many entries drops it. Values may be
// out of bounds, and `mode` says what they mean then. One thread per entry.
#import threads
#import index
#import ignored
#import element
#import wide_divide

// The position, from 0 to size - 1, of a signed 64-bit value along a dimension of that size; `size` if the entry is skipped.
fn resolved(low: u32, high: u32, size: u32) -> u32 {
    let negative = (high & 0x80000000u) != 0u;
    let magnitude = wide_magnitude(vec2<u32>(low, high));
    // Wrap. A size of 0 gives any number.
    if (params.mode == 0u) {
        let rest = magnitude.x - wide_divide(magnitude, vec2<u32>(size, 0u)).x * size;
        return select(rest, size - rest, negative && rest != 0u);
    }
    let is_within = high == 0u && low < size;
    // Clip: negative values do not count from the end.
    if (params.mode == 1u) {
        return select(select(size - 1u, low, is_within), 0u, negative);
    }
    // Drop: values from -size on count from the end. Inside, 3, skips every negative value.
    if (negative) {
        return select(size, size - magnitude.x, params.mode == 2u && magnitude.y == 0u && magnitude.x <= size);
    }
    return select(size, low, is_within);
}

fn run(k: u32) {
    if (is_ignored(k) || (params.has_other != 0u && src[k] == SKIPPED)) {
        dst[k] = SKIPPED;
        return;
    }
    var sum = 0u;
    for (var c = 0u; c < params.index.component_count; c++) {
        let at = k * params.index.component_count + c;
        let bound_stride = component(c);
        let position = resolved(index_low(at), index_high(at), bound_stride.x);
        // Skipped. With a bound of 0 every entry is.
        if (position >= bound_stride.x) {
            dst[k] = SKIPPED;
            return;
        }
        sum += position * bound_stride.y;
    }
    dst[k] = sum;
}
