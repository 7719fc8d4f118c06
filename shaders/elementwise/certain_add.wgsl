// Sums of float32 by the adapter, and which of them are certain. The adapter rounds sums of normal numbers to nearest even and keeps NaN and
// infinities, as the probe saw. But it may take subnormal operands or sums for zero.
//
// A sum whose exponent field is from 32 to 253 is right: its magnitude is from 2^-95 to below 2^127.
// - If an operand is NaN or infinite, or if the sum is too large, the field is 255, or 254 if the adapter cuts to the largest number.
// - If no operand is subnormal, the adapter rounds the true sum; in this range no sum is subnormal either.
// - If one operand is subnormal, its magnitude is below 2^-126, and the adapter adds it or zero. The other operand is then at least 2^-95, up to
//   that. Its neighbours are at least 2^-119 away, so the true sum is nearer to it than half of that: it rounds to this operand, never
//   to a tie. So does the sum with zero. Two subnormal operands have no sum so large.
//
// A smaller sum is right in two cases.
// - Both operands are zero.
// - The field of a is at least 64. A subnormal b would not change a, as above. Else both operands are normal, and b is near -a: their fields are at
//   least 63. So the true sum is a multiple of 2^-87, and below 2^-95 it is 0, which the adapter makes of normal numbers.
#import native_float
#import provably_exact

// The bits of the least magnitude with field 64.
const CANCELS_EXACTLY: u32 = 0x20000000u;

fn certain_sum(a: u32, b: u32, sum: u32) -> vec2<u32> {
    let magnitude = sum & MAGNITUDE;
    // Each condition is the sign of a difference.
    let too_small = (magnitude - EXACT_LEAST) & ((a & MAGNITUDE) - CANCELS_EXACTLY) & ~(((a | b) & MAGNITUDE) - 1u);
    return vec2<u32>(sum, too_small | (EXACT_MOST - magnitude));
}

// The bits of the sum, and a word whose highest bit is 0 if they are certain.
fn certain_add(a: u32, b: u32) -> vec2<u32> {
    return certain_sum(a, b, native_add(a, b));
}
