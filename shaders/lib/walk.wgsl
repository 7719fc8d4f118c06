// Applies the entries of a row from a position in the sorted list on; see segments.wgsl.
fn walk(row: u32, l: u32, first: u32) {
    let element = row * params.row + l;
    let stop = min(first + params.end, params.step_entry);
    var value = load_dst(element);
    var at = first;
    loop {
        var update = scalar();
        if (params.is_scalar == 0u) {
            let entry = index[params.step_entry + at];
            update = load_src(decode(entry).value + l * params.row_value_stride);
        }
        value = combine(value, update);
        at += 1u;
        if (at >= stop || index[at] != row) {
            break;
        }
    }
    store_dst(element, value);
}
