// The products of quads of x and y whose words hold several elements, for a multiply without an activation: each round makes one element of
// each of the four words.
fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var result = vec4<u32>();
    for (var bit = 0u; bit < 32u; bit += ELEMENT_BITS) {
        let first = (a >> vec4<u32>(bit)) & vec4<u32>(ELEMENT_MASK);
        let second = (b >> vec4<u32>(bit)) & vec4<u32>(ELEMENT_MASK);
        let products = vec4<u32>(product(first.x, second.x), product(first.y, second.y),
            product(first.z, second.z), product(first.w, second.w));
        result |= products << vec4<u32>(bit);
    }
    return result;
}
