// The representation of an element: one or two bytes in the low bits of a word, with zeros in the other bits; a word; two words, the
// low one first; or a unit of four words, which only moves.
#ifdef WIDTH_16
alias Element = vec4<u32>;
#endif
#ifdef WIDTH_8
alias Element = vec2<u32>;
#endif
#ifdef WIDTH_4
alias Element = u32;

const ELEMENT_MASK: u32 = 0xffffffffu;
#endif
#ifdef NARROW
alias Element = u32;

// Element i is in word i >> IN_WORD.
#ifdef WIDTH_2
const ELEMENT_MASK: u32 = 0xffffu;
const ELEMENT_BITS: u32 = 16u;
const IN_WORD: u32 = 1u;
#else
const ELEMENT_MASK: u32 = 0xffu;
const ELEMENT_BITS: u32 = 8u;
const IN_WORD: u32 = 2u;
#endif

// The left shift of element i in its word.
fn shift_of(i: u32) -> u32 {
    return (i * ELEMENT_BITS) & 31u;
}
#endif
