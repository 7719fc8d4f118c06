// dst[i] = dst[i] / the width of bin i / the sum of all, in float64: counts or weights become a density. The width is rounded to the
// edges' dtype. One thread per bin of each group. `index` has the edges as float64, one more than bins; `src` has the sum of each group.
#import threads
#import element
#import strict_double_divide
#import round_double

fn edge(at: u32) -> vec2<u32> {
    return vec2<u32>(index[2u * at], index[2u * at + 1u]);
}

fn run(at: u32) {
    let bin = at % params.bins;
    let left = edge(bin);
    let difference = strict_double_add(edge(bin + 1u), vec2<u32>(left.x, left.y ^ DOUBLE_SIGN));
    let width = rounded(difference, params.exponent_bits, params.fraction_bits);
    store_dst(at, strict_double_divide(strict_double_divide(load_dst(at), width), load_src(at / params.bins)));
}
