fn combine(before: Element, update: Element) -> Element {
    return float16_round(strict_multiply(float16_widen(before), float16_widen(update)));
}
