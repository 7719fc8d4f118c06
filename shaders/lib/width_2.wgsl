// Elements of two bytes, two to a word of memory. Loaded, an element is in the low bits of an `Element`; the other bits are zero. Several
// threads write to one word, but each element is written by one thread of a pass only. A store flips the bits of the element that change,
// by an atomic xor, which leaves the other element as it is: see width_1.wgsl.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffu;

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

// Element i of dst.
fn load_dst(i: u32) -> Element {
    return (atomicLoad(&dst[i >> 1u]) >> ((i & 1u) * 16u)) & ELEMENT_MASK;
}

// Writes element i of dst; see the top for why by an xor.
fn store_dst(i: u32, element: Element) {
    atomicXor(&dst[i >> 1u], (load_dst(i) ^ element) << ((i & 1u) * 16u));
}

// Element i of src.
fn load_src(i: u32) -> Element {
    return (src[i >> 1u] >> ((i & 1u) * 16u)) & ELEMENT_MASK;
}

// The element with these bits, given as parameters have them: 64 bits, low word first.
fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.x;
}

// Whether two elements have the same bits.
fn is_equal(a: Element, b: Element) -> bool {
    return a == b;
}
