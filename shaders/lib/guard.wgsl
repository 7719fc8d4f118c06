// Which of an adapter's own float32 sums and products have the CPU's bits. The adapter rounds normal numbers as the CPU does and keeps NaN
// and infinities, which the probe has seen, but may take subnormal numbers for zero: operands, results, or both.
//
// The bits of the result say it: a result is sure if its exponent field is from 32 to 253, that is, if its magnitude is from 2^-95 to below
// 2^127.
// - An operand that is NaN or infinite makes a result with the field 255, and so does a sum or product that is too large; one that an
//   adapter cuts to the largest number has the field 254.
// - If a factor or the product was taken for zero, the result's field is 0, or 255 where the other factor is infinite.
// - A sum of at least 2^-95 is the same with a subnormal term and with zero in its place: to a normal number, of which half a last place
//   is 2^-120 at least, less than 2^-126 is added.
// The decision is made on integers that went through `observed`, about which a compiler knows nothing.

// The bits of a magnitude of field 32, and the largest bits of field 253.
const SURE_LEAST: u32 = 0x10000000u;
const SURE_MOST: u32 = 0x7effffffu;
const MAGNITUDE: u32 = 0x7fffffffu;

// Whether a sum or a product, given as bits, is sure to be right.
fn is_sure(result: u32) -> bool {
    return (result & MAGNITUDE) - SURE_LEAST <= SURE_MOST - SURE_LEAST;
}
