// The product of two bfloat16, each in the low bits of a word, computed as binary32 and rounded once more. See strict_half.wgsl for
// why two roundings are right. A bfloat16 is the upper half of a binary32.
fn combine(before: Element, update: Element) -> Element {
    return bfloat16_round(strict_multiply(before << 16u, update << 16u));
}
