// Elements of one byte, four to a word, in the low bits of an Element.
//
// Several threads write to one word, but every element has one owner among the threads of a pass. Stores
// flip bits of their own element only, by an atomic xor, so what the others do to the word in between is
// neither seen nor undone: to its owner an element is a variable of its own, whatever the order of threads.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffu;

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

fn load_dst(i: u32) -> Element {
    return (atomicLoad(&dst[i >> 2u]) >> ((i & 3u) * 8u)) & ELEMENT_MASK;
}

fn store_dst(i: u32, element: Element) {
    atomicXor(&dst[i >> 2u], (load_dst(i) ^ element) << ((i & 3u) * 8u));
}

fn load_src(i: u32) -> Element {
    return (src[i >> 2u] >> ((i & 3u) * 8u)) & ELEMENT_MASK;
}

fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.x;
}

fn is_equal(a: Element, b: Element) -> bool {
    return a == b;
}
