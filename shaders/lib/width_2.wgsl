// Elements of two bytes, two to a word, in the low bits of an Element. See width_1.wgsl for why threads may share a word.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffu;

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

fn load_dst(i: u32) -> Element {
    return (atomicLoad(&dst[i >> 1u]) >> ((i & 1u) * 16u)) & ELEMENT_MASK;
}

fn store_dst(i: u32, element: Element) {
    atomicXor(&dst[i >> 1u], (load_dst(i) ^ element) << ((i & 1u) * 16u));
}

fn load_src(i: u32) -> Element {
    return (src[i >> 1u] >> ((i & 1u) * 16u)) & ELEMENT_MASK;
}

fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.x;
}

fn is_equal(a: Element, b: Element) -> bool {
    return a == b;
}
