// dst row = combine(dst row, src row) for the entries that deal.wgsl has dealt out to at most 16 rows, in row-major
// order: `index` is what it wrote. One thread per element of the table walks the shares in their order; eight of a
// workgroup, the width of a vector, so that they are spread over cores. Parameters: begin, end: the shares that this
// dispatch walks; step_entry: entries of a share; step_value: how many shares there is room for.
fn update_at(at: u32, l: u32) -> Element {
    if (params.is_scalar == 1u) {
        return scalar();
    }
    return load_src(index[at] + l * params.row_value_stride);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let element = (group.y * params.grid_width + group.x) * 8u + lane;
    if (lane >= 8u || failed() || element >= params.threads / 32u) {
        return;
    }
    let row = element / params.row;
    let l = element % params.row;
    var value = load_dst(element);
    for (var share = params.begin; share < params.end; share++) {
        let list = share * 16u + row;
        var at = params.step_value * 16u + list * params.step_entry;
        let stop = at + index[list];
        for (; at + 3u < stop; at += 4u) {
            value = combine(value, update_at(at, l));
            value = combine(value, update_at(at + 1u, l));
            value = combine(value, update_at(at + 2u, l));
            value = combine(value, update_at(at + 3u, l));
        }
        for (; at < stop; at++) {
            value = combine(value, update_at(at, l));
        }
    }
    store_dst(element, value);
}
