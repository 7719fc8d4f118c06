// The sum of 64-bit integers, low word first, wrapped. Two's-complement sums are the same for int64 and uint64.
fn combine(before: Element, update: Element) -> Element {
    return wide_add(before, update);
}
