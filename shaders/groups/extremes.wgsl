// For find_argmax.wgsl and finalize_argmax.wgsl: the table after or before the maxima, as the pass binds it at 5.
#import width
#import nan

@group(0) @binding(5) var<storage, read_write> extremes: array<u32>;

fn load_extreme(i: u32) -> Element {
#ifdef NARROW
    return (extremes[i >> IN_WORD] >> shift_of(i)) & ELEMENT_MASK;
#elifdef WIDTH_8
    return vec2<u32>(extremes[2u * i], extremes[2u * i + 1u]);
#else
    return extremes[i];
#endif
}
