// elementwise.wgsl for float32 on some adapters. The probe saw that such an adapter rounds normal numbers like the CPU and keeps NaN
// and infinities. But it may take subnormal operands or results for zero. The adapter computes all products. Integer code computes the
// unsure ones again.
//
// The bits of a product tell whether it is sure: its exponent field is from 32 to 253, so its magnitude is from 2^-95 to below 2^127.
// - If an operand is NaN or infinite, or if the product is too large, the field is 255, or 254 if the adapter cuts to the largest
//   number.
// - If the adapter took a factor or the product for zero, the field is 0, or 255 if the other factor is infinite.
// The test uses integers after the xor in native_float.wgsl, which no compiler sees through.
//
// The second computation has its own loop: so the shader contains the long integer code once, and threads that need it run it together.
// A software adapter always runs it once.
#import frame
#import operands
#import native_float
#import looped
#import strict_float

// The bits of the smallest magnitude with field 32, and the largest bits with field 253.
const SURE_LEAST: u32 = 0x10000000u;
const SURE_MOST: u32 = 0x7effffffu;
const MAGNITUDE: u32 = 0x7fffffffu;

// If all four products of quad q are sure, writes them and returns true. Else it writes nothing, because dst may be x, and the second
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
    // A product with a zero is also sure if it is zero; with an infinity or NaN it is NaN. Each condition is the sign of a difference:
    // comparisons of unsigned vectors take a software adapter three times as long.
    let magnitudes = products & vec4<u32>(MAGNITUDE);
    let zero_a = (a & vec4<u32>(MAGNITUDE)) - 1u;
    let zero_b = (b & vec4<u32>(MAGNITUDE)) - 1u;
    let too_small = (magnitudes - SURE_LEAST) & ~(zero_a | zero_b);
    let too_large = SURE_MOST - magnitudes;
    let unsure = too_small | too_large;
    if (((unsure.x | unsure.y | unsure.z | unsure.w) & SIGN) != 0u) {
        return false;
    }
    dst[q] = products;
    return true;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Quads of a thread are 256 apart, so that the accesses of one step are contiguous.
    let first = (thread_number(group, lane) - lane) * params.quads + lane;
    // A bit for each unsure quad: 1 << i for quad i.
    var left = 0u;
    // Coordinates advance from quad to quad: a division for each quad would take a third of the whole time.
    var c = start_of(first);
    for (var i = 0u; i < params.quads; i++) {
        left |= select(1u << i, 0u, multiply_quad(first + i * 256u, c));
        c = carried(Coordinates(c.outer + params.step.z, c.middle + params.step.y, c.inner + params.step.x));
    }
    while (left != 0u) {
        let q = first + firstTrailingBit(left) * 256u;
        let quads = operands_again(q);
        dst[q] = combined(quads[0], quads[1]);
        left &= left - 1u;
    }
}
