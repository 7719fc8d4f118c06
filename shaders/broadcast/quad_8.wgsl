// Two elements of two words in a quad, low word first.
alias Element = vec2<u32>;

const PER_QUAD: u32 = 2u;

// Element e of a quad.
fn element_of(quad: vec4<u32>, e: u32) -> Element {
    return select(quad.xy, quad.zw, e == 1u);
}

// Element i of y.
fn y_element(i: u32) -> Element {
    return element_of(y[i / PER_QUAD], i % PER_QUAD);
}

// A quad with this element at place e, and zeros elsewhere.
fn placed(element: Element, e: u32) -> vec4<u32> {
    return select(vec4<u32>(element, 0u, 0u), vec4<u32>(0u, 0u, element), e == 1u);
}

// A quad in which every element is this one.
fn repeated(element: Element) -> vec4<u32> {
    return element.xyxy;
}
