// The element of y with which quad q of the result begins, for the accesses in which there are exactly three loops and each round of the
// innermost is a quad: its length and strides count so. Remainders are computed from quotients, as a division takes longer than all the
// rest.
fn y_place(q: u32) -> u32 {
    let rows = q / params.loops[0].len;
    let outer = rows / params.loops[1].len;
    let inner = q - rows * params.loops[0].len;
    let middle = rows - outer * params.loops[1].len;
    return params.loops[0].strides.y * inner + params.loops[1].strides.y * middle + params.loops[2].strides.y * outer;
}
