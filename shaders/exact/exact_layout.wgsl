// An exact sum in memory: an accumulator, then a word of flags, then, if terms are counted, two words with their count. All are 0 at
// first: no terms.
//
// An accumulator is a number in units of 2^-149 (float64: 2^-1074), the smallest float32: every finite term is a whole number of units.
// Its words have 32 bits each, the least word first, and are *signed*: each is from -2^31 to 2^31 - 1. So only a sum of a word that
// passes 2^31 carries, and terms of both signs around 0 touch no upper words. The number has many such representations.
// `docs/EXACT_SUM.md` has the canonical one.
//
// Word k of place p is number k · places + p of its tile: usual terms touch the same few words of each place, and these share cache
// lines.
#import Tile

// Words of an accumulator, for the sum of 2^42 terms and its sign; and the number of its lowest word: a float16 has no bits below 2^-24.
#ifdef FLOAT64
const EXACT_WORDS: u32 = 67u;
const EXACT_FIRST: u32 = 0u;
#elifdef FLOAT16
const EXACT_WORDS: u32 = 4u;
const EXACT_FIRST: u32 = 3u;
#else
const EXACT_WORDS: u32 = 10u;
const EXACT_FIRST: u32 = 0u;
#endif

// The flags: +∞ was a term, -∞ was a term, and something other than -0 was. A NaN sets the first two.
const EXACT_INFINITIES: u32 = 3u;
const EXACT_OTHER: u32 = 4u;

// 1 if a signed word `old` carries when ± part is added, else 0. With 2^31 more, signed words are in the order of unsigned ones.
fn exact_carries(old: u32, part: u32, sign: u32) -> u32 {
    let biased = old + 0x80000000u;
    return select(0u, 1u, select(biased + part, biased, sign != 0u) < part);
}
