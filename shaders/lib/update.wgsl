// The source of a scatter: one scalar, or elements of src. For passes with a parameter `update`.
#import element

struct Update {
    scalar: vec2<u32>, // the scalar's bits, low word first; 0 without a scalar
    is_scalar: u32,    // 1 if every update is the scalar
    unused: u32,
}

// The scalar as an element; zero bits without a scalar.
fn scalar() -> Element {
    return element_of_bits(params.update.scalar);
}
