fn combine(before: Element, update: Element) -> Element {
    return bfloat16_round(strict_add(before << 16u, update << 16u));
}
