// The source of a scatter: one scalar, or elements of src. For passes with a parameter `update`.
#import element
#import Update

// The scalar as an element; zero bits without a scalar.
fn scalar() -> Element {
    return element_of_bits(params.update.scalar);
}

// The update from element i of src. No branch: the scalar replaces the loaded element. WGSL allows an index beyond the end of src.
fn update_at(i: u32) -> Element {
    return select(load_src(i), scalar(), params.update.is_scalar == 1u);
}
