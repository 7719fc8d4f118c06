fn combine(before: Element, update: Element) -> Element {
    return float16_round(strict_divide(float16_widen(before), float16_widen(update)));
}
