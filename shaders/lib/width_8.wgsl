// Elements of two words, low word first, in memory and in an `Element`.
alias Element = vec2<u32>;

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

// Element i of dst.
fn load_dst(i: u32) -> Element {
    return vec2<u32>(dst[2u * i], dst[2u * i + 1u]);
}

// Writes element i of dst.
fn store_dst(i: u32, element: Element) {
    dst[2u * i] = element.x;
    dst[2u * i + 1u] = element.y;
}

// Element i of src.
fn load_src(i: u32) -> Element {
    return vec2<u32>(src[2u * i], src[2u * i + 1u]);
}

// The element with these bits, given as parameters have them: 64 bits, low word first.
fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits;
}

// Whether two elements have the same bits.
fn is_equal(a: Element, b: Element) -> bool {
    return a.x == b.x && a.y == b.y;
}
