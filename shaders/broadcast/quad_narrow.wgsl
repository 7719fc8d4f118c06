// Quads whose words hold several elements, those of quad_1.wgsl and quad_2.wgsl. A thread writes whole quads, so no two threads share a
// word.
const PER_WORD: u32 = PER_QUAD / 4u;

// Element e of a quad.
fn element_of(quad: vec4<u32>, e: u32) -> Element {
    return (quad[e / PER_WORD] >> ((e % PER_WORD) * ELEMENT_BITS)) & ELEMENT_MASK;
}

// Element i of y.
fn y_element(i: u32) -> Element {
    return element_of(y[i / PER_QUAD], i % PER_QUAD);
}

// A quad with this element at place e, and zeros elsewhere.
fn placed(element: Element, e: u32) -> vec4<u32> {
    let word = element << ((e % PER_WORD) * ELEMENT_BITS);
    return select(vec4<u32>(), vec4<u32>(word), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(e / PER_WORD));
}
