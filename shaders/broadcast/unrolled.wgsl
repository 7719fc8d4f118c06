// The products of quads of x and y, unrolled: for a multiply without an activation.
#import quad
#import product

fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
#ifdef NARROW
    // Each round makes one element of each of the four words.
    var result = vec4<u32>();
    for (var bit = 0u; bit < 32u; bit += ELEMENT_BITS) {
        let first = (a >> vec4<u32>(bit)) & vec4<u32>(ELEMENT_MASK);
        let second = (b >> vec4<u32>(bit)) & vec4<u32>(ELEMENT_MASK);
        let products = vec4<u32>(product(first.x, second.x), product(first.y, second.y),
            product(first.z, second.z), product(first.w, second.w));
        result |= products << vec4<u32>(bit);
    }
    return result;
#endif
#ifdef WIDTH_4
    return vec4<u32>(product(a.x, b.x), product(a.y, b.y), product(a.z, b.z), product(a.w, b.w));
#endif
#ifdef WIDTH_8
    return vec4<u32>(product(a.xy, b.xy), product(a.zw, b.zw));
#endif
}
