// Elements of one word.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffffffu;

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn load_dst(i: u32) -> Element {
    return dst[i];
}

fn store_dst(i: u32, element: Element) {
    dst[i] = element;
}

fn load_src(i: u32) -> Element {
    return src[i];
}

fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.x;
}

fn is_equal(a: Element, b: Element) -> bool {
    return a == b;
}
