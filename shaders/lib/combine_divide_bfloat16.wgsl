fn combine(before: Element, update: Element) -> Element {
    return bfloat16_round(strict_divide(before << 16u, update << 16u));
}
