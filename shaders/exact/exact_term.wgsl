// `exact_term(element)` splits a term into words of an accumulator. For any accumulator: a pass adds the words where it keeps its own.
#import exact_layout
#import width
#ifdef HALF
#import strict_half
#endif

// ± (low + high · 2^32 + top · 2^64) · 2^(32 · at) units, at most 2^84 times the last word's weight. Zeros, infinities and NaN have
// words of 0.
struct ExactTerm {
    at: u32,
    sign: u32, // 0, or 0xffffffff for a negative term: (x ^ sign) - sign is x or -x
    low: u32,
    high: u32,
    top: u32, // 0 but for float64
    flags: u32, // those that the term sets
}

#ifdef FLOAT64
fn exact_term(x: Element) -> ExactTerm {
    let sign = 0u - (x.y >> 31u);
    let exponent = (x.y >> 20u) & 0x7ffu;
    let fraction = vec2<u32>(x.x, x.y & 0xfffffu);
    let is_special = exponent == 0x7ffu;
    let is_nan = is_special && (fraction.x | fraction.y) != 0u;
    let m = select(fraction | vec2<u32>(0u, min(exponent, 1u) << 20u), vec2<u32>(0u), is_special);
    let shift = select(max(exponent, 1u) - 1u, 0u, is_special);
    let s = shift & 31u;
    let high = (m.y << s) | ((m.x >> 1u) >> (31u - s));
    let is_other = (x.x | (x.y ^ 0x80000000u)) != 0u;
    let flags = select(select(0u, EXACT_OTHER, is_other), select(1u + (x.y >> 31u), 3u, is_nan) | EXACT_OTHER, is_special);
    return ExactTerm(shift >> 5u, sign, m.x << s, high, (m.y >> 1u) >> (31u - s), flags);
}
#else
// The bits of a term as float32.
fn exact_bits(element: Element) -> u32 {
#ifdef HALF
    return half_widen(element);
#else
    return element;
#endif
}

fn exact_term(element: Element) -> ExactTerm {
    let x = exact_bits(element);
    let sign = 0u - (x >> 31u);
    let exponent = (x >> 23u) & 0xffu;
    let fraction = x & 0x7fffffu;
    let is_special = exponent == 0xffu;
    let m = select(fraction | (min(exponent, 1u) << 23u), 0u, is_special);
    let shift = select(max(exponent, 1u) - 1u, 32u * EXACT_FIRST, m == 0u);
    let s = shift & 31u;
    let flags = select(select(0u, EXACT_OTHER, x != 0x80000000u), select(1u + (x >> 31u), 3u, fraction != 0u) | EXACT_OTHER, is_special);
    return ExactTerm((shift >> 5u) - EXACT_FIRST, sign, m << s, (m >> 1u) >> (31u - s), 0u, flags);
}
#endif
