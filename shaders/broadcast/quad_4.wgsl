// Four elements of one word in a quad.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffffffu;
const PER_QUAD: u32 = 4u;

// Element e of a quad.
fn element_of(quad: vec4<u32>, e: u32) -> Element {
    return quad[e];
}

// Element i of y. One word is read, not the quad.
fn y_element(i: u32) -> Element {
    return y[i / PER_QUAD][i % PER_QUAD];
}

// A quad with this element at place e, and zeros elsewhere.
fn placed(element: Element, e: u32) -> vec4<u32> {
    return select(vec4<u32>(), vec4<u32>(element), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(e));
}

// A quad in which every element is this one.
fn repeated(element: Element) -> vec4<u32> {
    return vec4<u32>(element);
}
