// A single pair of elements, from their quads.
fn pair(q: u32, e: u32) -> array<Element, 2> {
    let quads = operands(q, coordinates(q * UNITS));
    return array<Element, 2>(element_of(quads[0], e), element_of(quads[1], e));
}
