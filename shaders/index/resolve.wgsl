// dst[k] = the position that entry k of the index means, where values may be out of bounds. One thread per entry.

struct Params {
    head: Head,
    index: IndexFormat,
    mode: u32, // 0: values are taken modulo the bound; 1: they become the nearest end; 2: their entries are left out
}

// value mod size, of an unsigned value.
fn remainder(low: u32, high: u32, size: u32) -> u32 {
    var rest = 0u;
    for (var bit = 0u; bit < 64u; bit++) {
        let word = select(low, high, bit < 32u);
        let carry = rest >> 31u;
        rest = (rest << 1u) | ((word >> (31u - (bit & 31u))) & 1u);
        if (carry == 1u || rest >= size) {
            rest -= size;
        }
    }
    return rest;
}

// Where a value leads along a dimension of that size; `size` itself if nowhere.
fn resolved(low: u32, high: u32, size: u32) -> u32 {
    let negative = (high & 0x80000000u) != 0u;
    let magnitude_low = select(low, 0u - low, negative);
    let magnitude_high = select(high, ~high + select(0u, 1u, low == 0u), negative);
    if (params.mode == 0u) {
        let rest = remainder(magnitude_low, magnitude_high, size);
        return select(rest, size - rest, negative && rest != 0u);
    }
    if (params.mode == 1u) {
        return select(select(size - 1u, low, high == 0u && low < size), 0u, negative);
    }
    if (negative) {
        return select(size, size - magnitude_low, magnitude_high == 0u && magnitude_low <= size);
    }
    return select(size, low, high == 0u && low < size);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = thread_number(group, lane);
    if (k >= params.head.threads) {
        return;
    }
    var sum = 0u;
    for (var c = 0u; c < params.index.component_count; c++) {
        let at = k * params.index.component_count + c;
        let bound_stride = component(c);
        let place = resolved(index_low(at), index_high(at), bound_stride.x);
        if (place >= bound_stride.x) {
            dst[k] = 0xffffffffu;
            return;
        }
        sum += place * bound_stride.y;
    }
    dst[k] = sum;
}
