// Elements of one byte, four to a word, in the low bits of an Element.
//
// Several threads write to one word, but each element is written by one thread of a pass only, its owner. A store flips
// bits of that element by an atomic xor, which leaves the bits of the others as they are, whatever those threads do in
// between. So an element behaves like a variable of its owner, whatever the order of threads.
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
