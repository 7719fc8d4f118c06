// Four elements of one word in a quad.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffffffu;
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
