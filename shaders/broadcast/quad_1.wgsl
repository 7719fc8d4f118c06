// Sixteen elements of one byte in a quad, four to a word. Taken out, an element is in the low bits of an `Element`; the other bits are
// zero.
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffu;
const PER_QUAD: u32 = 16u;
const ELEMENT_BITS: u32 = 8u;

// A quad in which every element is this one.
fn repeated(element: Element) -> vec4<u32> {
    return vec4<u32>(element * 0x1010101u);
}
