// A quad is four words: two to sixteen elements. A thread writes whole quads, so no two threads share a word.
#import width
#import operands

// `element_of`: element e of a quad.
// `placed`: a quad with an element at place e, and zeros elsewhere.
// `repeated`: a quad that one element fills.
#ifdef NARROW
const PER_WORD: u32 = 1u << IN_WORD;
const PER_QUAD: u32 = 4u * PER_WORD;

fn element_of(quad: vec4<u32>, e: u32) -> Element {
    return (quad[e / PER_WORD] >> ((e % PER_WORD) * ELEMENT_BITS)) & ELEMENT_MASK;
}

fn placed(element: Element, e: u32) -> vec4<u32> {
    let word = element << ((e % PER_WORD) * ELEMENT_BITS);
    return select(vec4<u32>(), vec4<u32>(word), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(e / PER_WORD));
}

fn repeated(element: Element) -> vec4<u32> {
    return vec4<u32>(element * (0xffffffffu / ELEMENT_MASK));
}
#endif

#ifdef WIDTH_4
const PER_QUAD: u32 = 4u;

fn element_of(quad: vec4<u32>, e: u32) -> Element {
    return quad[e];
}

fn placed(element: Element, e: u32) -> vec4<u32> {
    return select(vec4<u32>(), vec4<u32>(element), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(e));
}

fn repeated(element: Element) -> vec4<u32> {
    return vec4<u32>(element);
}
#endif

#ifdef WIDTH_8
const PER_QUAD: u32 = 2u;

fn element_of(quad: vec4<u32>, e: u32) -> Element {
    return select(quad.xy, quad.zw, e == 1u);
}

fn placed(element: Element, e: u32) -> vec4<u32> {
    return select(vec4<u32>(element, 0u, 0u), vec4<u32>(0u, 0u, element), e == 1u);
}

fn repeated(element: Element) -> vec4<u32> {
    return element.xyxy;
}
#endif

// Element i of y.
fn y_element(i: u32) -> Element {
#ifdef WIDTH_4
    return y[i / PER_QUAD][i % PER_QUAD]; // one word is read, not the quad
#else
    return element_of(y[i / PER_QUAD], i % PER_QUAD);
#endif
}
