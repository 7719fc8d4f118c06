// What is scattered: one scalar, or elements of src. For passes whose parameters have a member `update`.
#import element

struct Update {
    scalar: vec2<u32>, // the scalar's bits, low word first; 0 if there is none
    is_scalar: u32,    // 1 if every update is the scalar
    unused: u32,
}

// The scalar as an element; zero bits if there is none.
fn scalar() -> Element {
    return element_of_bits(params.update.scalar);
}
