// Eight elements of two bytes in a quad, two to a word. Taken out, an element is in the low bits of an `Element`; the other bits are zero.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffu;
const PER_QUAD: u32 = 8u;
const ELEMENT_BITS: u32 = 16u;

// A quad in which every element is this one.
fn repeated(element: Element) -> vec4<u32> {
    return vec4<u32>(element * 0x10001u);
}
