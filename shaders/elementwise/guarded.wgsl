// elementwise.wgsl for float32 on some adapters, which provably_exact.wgsl describes. The adapter computes all products. Integer code computes those
// again that are not provably exact.
//
// The second computation has its own loop: so the shader contains the long integer code once, and threads that need it run it together.
// A software adapter always runs it once.
#import frame
#import operands
#import native_float
#import looped
#import provably_exact
#import strict_float

// If all four products of quad q are provably exact, writes them and returns true. Else it writes nothing, because dst may be x, and the second
// loop reads x again. The quad is at the coordinates c. A quad after the end of the result needs no write.
fn multiply_quad(q: u32, c: Coordinates) -> bool {
    if (q * PER_QUAD >= params.len) {
        return true;
    }
    let quads = operands(q, c);
    let a = quads[0];
    let b = quads[1];
    let products = vec4<u32>(native_multiply(a.x, b.x), native_multiply(a.y, b.y),
        native_multiply(a.z, b.z), native_multiply(a.w, b.w));
    let all = inexact(a.x, b.x, products.x) | inexact(a.y, b.y, products.y) | inexact(a.z, b.z, products.z) | inexact(a.w, b.w, products.w);
    if ((all & SIGN) != 0u) {
        return false;
    }
    dst[q] = products;
    return true;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Quads of a thread are WORKGROUP apart, so that the accesses of one step are contiguous.
    let first = (thread_number(group, lane) - lane) * params.quads + lane;
    // A bit for each quad that is not provably exact: 1 << i for quad i.
    var left = 0u;
    // Coordinates advance from quad to quad: a division for each quad would take a third of the whole time.
    var c = start_of(first);
    for (var i = 0u; i < params.quads; i++) {
        left |= select(1u << i, 0u, multiply_quad(first + i * WORKGROUP, c));
        c = carried(Coordinates(c.outer + params.step.z, c.middle + params.step.y, c.inner + params.step.x));
    }
    while (left != 0u) {
        let q = first + firstTrailingBit(left) * WORKGROUP;
        let quads = operands_again(q);
        dst[q] = combined(quads[0], quads[1]);
        left &= left - 1u;
    }
}
