// Replacement moves bits, so it is the same for all dtypes of a width.

#ifdef ATOMIC
// Replaces element i of the table. Every thread stores the same scalar, so the result does not depend on how the atomic operations of
// threads interleave.
fn apply(i: u32, update: Element) {
#ifdef NARROW
    // Two steps that keep the other elements of the word: clear the element's bits, then set them. The last step of every thread sets
    // them, and no thread reads the element in between.
    atomicAnd(&atomic_dst[i >> IN_WORD], ~(ELEMENT_MASK << shift_of(i)));
    atomicOr(&atomic_dst[i >> IN_WORD], update << shift_of(i));
#endif
#ifdef WIDTH_4
    atomicStore(&atomic_dst[i], update);
#endif
#ifdef WIDTH_8
    atomicStore(&atomic_dst[2u * i], update.x);
    atomicStore(&atomic_dst[2u * i + 1u], update.y);
#endif
}
#else
fn combine(before: Element, update: Element) -> Element {
    return update;
}
#endif
