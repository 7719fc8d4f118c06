// Elements of src and dst: `load_src(i)`, `load_dst(i)`, `store_dst(i, element)`.
#import frame
#import width

#ifdef NARROW
// Several threads write to one word, but only one thread of a pass writes each element, its owner. A store flips the changed bits of
// the element by an atomic xor. So the other elements of the word keep their values, even if their owners write at the same time, and
// an element behaves like its owner's variable.
@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

fn load_dst(i: u32) -> Element {
    return (atomicLoad(&dst[i >> IN_WORD]) >> shift_of(i)) & ELEMENT_MASK;
}

fn store_dst(i: u32, element: Element) {
    atomicXor(&dst[i >> IN_WORD], (load_dst(i) ^ element) << shift_of(i));
}

fn load_src(i: u32) -> Element {
    return (src[i >> IN_WORD] >> shift_of(i)) & ELEMENT_MASK;
}
#endif

#ifdef WIDTH_4
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
#endif

#ifdef WIDTH_8
@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn load_dst(i: u32) -> Element {
    return vec2<u32>(dst[2u * i], dst[2u * i + 1u]);
}

fn store_dst(i: u32, element: Element) {
    dst[2u * i] = element.x;
    dst[2u * i + 1u] = element.y;
}

fn load_src(i: u32) -> Element {
    return vec2<u32>(src[2u * i], src[2u * i + 1u]);
}
#endif

#ifdef WIDTH_16
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> src_vectors: array<vec4<u32>>;

fn store_dst(i: u32, element: Element) {
    dst[i] = element;
}

fn load_src(i: u32) -> Element {
    return src_vectors[i];
}
#endif

// The element with these bits from the parameters: 64 bits, low word first. For a unit, the bits are an element repeated to two words,
// and they fill the unit.
fn element_of_bits(bits: vec2<u32>) -> Element {
#ifdef WIDTH_16
    return bits.xyxy;
#elifdef WIDTH_8
    return bits;
#else
    return bits.x;
#endif
}
