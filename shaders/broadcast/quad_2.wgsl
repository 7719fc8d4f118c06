// Eight elements of two bytes in a quad, two to a word, in the low bits of an Element.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffu;
const PER_QUAD: u32 = 8u;
const ELEMENT_BITS: u32 = 16u;

fn repeated(element: Element) -> vec4<u32> {
    return vec4<u32>(element * 0x10001u);
}
