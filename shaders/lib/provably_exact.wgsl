// Which products of float32 by the adapter are certainly right, on some adapters; certain_add.wgsl says it of sums. The probe saw that such an adapter rounds normal numbers
// like the CPU and keeps NaN and infinities. But it may take subnormal operands or results for zero.
//
// The bits of a product tell whether it is provably exact: its exponent field is from 32 to 253, so its magnitude is from 2^-95 to below 2^127.
// - If an operand is NaN or infinite, or if the product is too large, the field is 255, or 254 if the adapter cuts to the largest
//   number.
// - If the adapter took a factor or the product for zero, the field is 0, or 255 if the other factor is infinite.
// The test uses integers after the xor in native_float.wgsl, which no compiler sees through.

// The bits of the smallest magnitude with field 32, and the largest bits with field 253.
const EXACT_LEAST: u32 = 0x10000000u;
const EXACT_MOST: u32 = 0x7effffffu;
const MAGNITUDE: u32 = 0x7fffffffu;

// A word whose highest bit is 1 unless a product is provably exact. A product with a zero is also exact if it is zero; with an infinity or NaN it is
// NaN. Each condition is the sign of a difference.
fn inexact(a: u32, b: u32, result: u32) -> u32 {
    let magnitude = result & MAGNITUDE;
    let too_small = (magnitude - EXACT_LEAST) & ~(((a & MAGNITUDE) - 1u) | ((b & MAGNITUDE) - 1u));
    return too_small | (EXACT_MOST - magnitude);
}
