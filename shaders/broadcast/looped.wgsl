// The products of a quad, one after the other: what is applied to them is long, and compiled once.
fn multiplied(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var result = vec4<u32>();
    for (var e = 0u; e < PER_QUAD; e++) {
        result |= placed(product(element_of(a, e), element_of(b, e)), e);
    }
    return result;
}
