// The results of quads of x and y, in a loop: so the shader contains the long code of an activation or of integer arithmetic only
// once.
#import quad
#import pair

fn combined(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var result = vec4<u32>();
    for (var e = 0u; e < PER_QUAD; e++) {
        result |= placed(paired(element_of(a, e), element_of(b, e)), e);
    }
    return result;
}
