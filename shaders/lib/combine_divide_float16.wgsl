// The quotient of two float16, each in the low bits of a word, computed as binary32 and rounded once more. See strict_half.wgsl for why
// two roundings are right.
fn combine(before: Element, update: Element) -> Element {
    return float16_round(strict_divide(float16_widen(before), float16_widen(update)));
}
