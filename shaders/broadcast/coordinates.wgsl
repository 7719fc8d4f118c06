// Where an element or a quad of the result is in the loops, of which the first is the innermost. The third and all further loops share one
// coordinate.
struct Coordinates {
    outer: u32,  // in loops[2] and further ones, as one number
    middle: u32, // in loops[1]
    inner: u32,  // in loops[0]
}

// The coordinates of round number `round` of the innermost loop. Remainders are computed from quotients, as a division takes longer than
// all the rest.
fn coordinates(round: u32) -> Coordinates {
    let rows = round / params.loops[0].len;
    let outer = rows / params.loops[1].len;
    return Coordinates(outer, rows - outer * params.loops[1].len, round - rows * params.loops[0].len);
}

// Coordinates of which `inner` and `middle` may be behind the end of their loops, by less than a length: then further rounds of the loop
// around have begun.
fn carried(c: Coordinates) -> Coordinates {
    let inner_len = params.loops[0].len;
    let middle_len = params.loops[1].len;
    let middle = c.middle + select(0u, 1u, c.inner >= inner_len);
    return Coordinates(
        c.outer + select(0u, 1u, middle >= middle_len),
        middle - select(0u, middle_len, middle >= middle_len),
        c.inner - select(0u, inner_len, c.inner >= inner_len));
}
