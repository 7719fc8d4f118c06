// The results of quads of x and y, unrolled: for an operation without an activation.
#import quad
#import pair

fn combined(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
#ifdef NARROW
    // Each round makes one element of each of the four words.
    var result = vec4<u32>();
    for (var bit = 0u; bit < 32u; bit += ELEMENT_BITS) {
        let first = (a >> vec4<u32>(bit)) & vec4<u32>(ELEMENT_MASK);
        let second = (b >> vec4<u32>(bit)) & vec4<u32>(ELEMENT_MASK);
        let results = vec4<u32>(paired(first.x, second.x), paired(first.y, second.y),
            paired(first.z, second.z), paired(first.w, second.w));
        result |= results << vec4<u32>(bit);
    }
    return result;
#endif
#ifdef WIDTH_4
    return vec4<u32>(paired(a.x, b.x), paired(a.y, b.y), paired(a.z, b.z), paired(a.w, b.w));
#endif
#ifdef WIDTH_8
    return vec4<u32>(paired(a.xy, b.xy), paired(a.zw, b.zw));
#endif
}
