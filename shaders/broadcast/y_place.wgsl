// Where the elements of quad q are in y: three loops, the innermost of which counts quads. Remainders are computed from
// quotients: a division takes longer than all the rest.
fn y_place(q: u32) -> u32 {
    let rows = q / params.loops[0].len;
    let outer = rows / params.loops[1].len;
    let inner = q - rows * params.loops[0].len;
    let middle = rows - outer * params.loops[1].len;
    return params.loops[0].strides.y * inner + params.loops[1].strides.y * middle + params.loops[2].strides.y * outer;
}
