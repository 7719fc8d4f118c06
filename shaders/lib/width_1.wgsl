// Elements of one byte, four to a word of memory. Loaded, an element is in the low bits of an `Element`; the other bits are zero.
//
// Several threads write to one word, but each element is written by one thread of a pass only, its owner. A store flips the bits of the
// element that change, by an atomic xor. That leaves the other elements as they are, whatever their owners do at the same time. So an
// element behaves like a variable of its owner, whatever the order of threads.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffu;

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

// Element i of dst.
fn load_dst(i: u32) -> Element {
    return (atomicLoad(&dst[i >> 2u]) >> ((i & 3u) * 8u)) & ELEMENT_MASK;
}

// Writes element i of dst; see the top for why by an xor.
fn store_dst(i: u32, element: Element) {
    atomicXor(&dst[i >> 2u], (load_dst(i) ^ element) << ((i & 3u) * 8u));
}

// Element i of src.
fn load_src(i: u32) -> Element {
    return (src[i >> 2u] >> ((i & 3u) * 8u)) & ELEMENT_MASK;
}

// The element with these bits, given as parameters have them: 64 bits, low word first.
fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.x;
}

// Whether two elements have the same bits.
fn is_equal(a: Element, b: Element) -> bool {
    return a == b;
}
