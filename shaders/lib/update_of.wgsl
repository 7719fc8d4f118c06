// What an index entry applies to an element of its row: the scalar, or an element of src.
#import entries
#import update

fn update_of(k: u32, in_row: u32) -> Element {
    if (params.update.is_scalar != 0u) {
        return scalar();
    }
    return load_src(decode(k).value + in_row * params.entries.row_value_stride);
}
