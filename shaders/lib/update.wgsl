// What is scattered: one scalar, or elements of src. For passes whose parameters have a member `update`.

struct Update {
    scalar: vec2<u32>, // its bits, low word first
    is_scalar: u32,    // 1 if every update is the scalar
    unused: u32,
}

fn scalar() -> Element {
    return element_of_bits(params.update.scalar);
}
