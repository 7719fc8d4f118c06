// multiply.wgsl for float32 on an adapter that rounds products of normal numbers as the CPU does, but takes subnormal
// numbers for zero, or gives any result for NaN and infinities. The adapter multiplies where it is sure to be right; the
// few other products are computed in integers.
//
// The operands' bits say what is sure. With magnitudes from 2^-63 to below 2^64 the exponent field of the exact product is
// between 1 and 254, and rounding does not change that: (2 - 2^-23)^2 is not rounded up to 4. A product with a zero is a
// zero of the right sign. The decision is made on integers, about which a compiler may assume nothing; and a product that
// is not added to anything cannot be fused.
//
// The other products are computed in a second loop, after the one over quads. So the integer code, which is long, is there once for all
// elements of a thread, and threads that need it run it together. A software adapter runs it once in any case, even if no thread needs it.

// The exponent fields 64 to 190 of moderate magnitudes, 2^-63 to below 2^64. They are compared with bits that are shifted left by one,
// without the sign.
const LEAST: u32 = 64u << 24u;
const RANGE: u32 = 127u << 24u;

// For each of four floats, whether it is +0 or -0.
fn is_zero(a: vec4<u32>) -> vec4<bool> {
    return (a << vec4<u32>(1u)) == vec4<u32>(0u);
}

// For each of four floats, whether its magnitude is from 2^-63 to below 2^64.
fn is_moderate(a: vec4<u32>) -> vec4<bool> {
    return (a << vec4<u32>(1u)) - vec4<u32>(LEAST) < vec4<u32>(RANGE);
}

// Writes the products of quad q that are sure to be right, and x in the place of the others: dst may be x, which the second loop reads
// again. Returns a bit for each of the others, 1 << e for element e of the quad; none if the quad is after the end of the result.
fn multiply_quad(q: u32) -> u32 {
    if (q * PER_QUAD >= params.len) {
        return 0u;
    }
    let quads = operands(q);
    let a = quads[0];
    let b = quads[1];
    let zero_a = is_zero(a);
    let zero_b = is_zero(b);
    let is_sure = (zero_a | is_moderate(a)) & (zero_b | is_moderate(b));
    let native = vec4<u32>(native_multiply(a.x, b.x), native_multiply(a.y, b.y),
        native_multiply(a.z, b.z), native_multiply(a.w, b.w));
    let result = select(native, (a ^ b) & vec4<u32>(SIGN), zero_a | zero_b);
    dst[q] = select(a, result, is_sure);
    let bits = select(vec4<u32>(1u, 2u, 4u, 8u), vec4<u32>(0u), is_sure);
    return bits.x | bits.y | bits.z | bits.w;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Quads of a thread are 256 apart, so that the accesses of one step are contiguous.
    let first = (thread_number(group, lane) - lane) * params.quads + lane;
    var left = vec2<u32>();
    for (var i = 0u; i < params.quads; i++) {
        left[i / 8u] |= multiply_quad(first + i * 256u) << (4u * (i % 8u));
    }
    while (any(left != vec2<u32>())) {
        // The lowest bit of the first half that has any.
        let half = select(1u, 0u, left.x != 0u);
        let bit = firstTrailingBit(left[half]);
        let q = first + (8u * half + bit / 4u) * 256u;
        let e = bit % 4u;
        let pair = operand_pair(q, e);
        dst[q][e] = product(pair[0], pair[1]);
        left[half] &= left[half] - 1u;
    }
}
