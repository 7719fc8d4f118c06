// The operands of element e of quad q.
fn operand_pair(q: u32, e: u32) -> array<Element, 2> {
    let quads = operands(q);
    return array<Element, 2>(element_of(quads[0], e), element_of(quads[1], e));
}
