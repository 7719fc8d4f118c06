fn act_none(x: Element) -> Element {
    return x;
}
