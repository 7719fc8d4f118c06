// Elements of one word.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffffffu;

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

// Element i of dst.
fn load_dst(i: u32) -> Element {
    return dst[i];
}

// Writes element i of dst.
fn store_dst(i: u32, element: Element) {
    dst[i] = element;
}

// Element i of src.
fn load_src(i: u32) -> Element {
    return src[i];
}

// The element with these bits, given as parameters have them: 64 bits, low word first.
fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.x;
}

// Whether two elements have the same bits.
fn is_equal(a: Element, b: Element) -> bool {
    return a == b;
}
