// float32 sums and products on an adapter that rounds normal numbers as the CPU does, but takes subnormal numbers for zero, or
// gives any result for NaN and infinities. The adapter computes; its result counts where neither the operands nor the exact
// result can be one of these, and the few others are computed in integers.
//
// The bits say which: each operand is a normal number or zero, and the exponent field of the adapter's result is between 2 and
// 253. From such operands the adapter makes another result than the CPU only where the exact one is below the smallest normal
// number, or above the largest; rounded or flushed, that has a field of 0, 1, 254 or 255. The decision is made on integers,
// about which a compiler may assume nothing.

// Whether a float32 is a normal number or zero.
fn is_plain(bits: u32) -> bool {
    let magnitude = bits & 0x7fffffffu;
    return magnitude == 0u || magnitude - 0x00800000u < 0x7f000000u;
}

// Whether the adapter's `result` of a sum or a product of a and b is the CPU's.
fn is_sure(a: u32, b: u32, result: u32) -> bool {
    return is_plain(a) && is_plain(b) && (result & 0x7fffffffu) - 0x01000000u < 0x7e000000u;
}

// The sum or the product of two float32, given and returned as bits. A part combine_*_guarded.wgsl declares which, in both kinds of
// arithmetic.
fn combine(before: Element, update: Element) -> Element {
    let native = combine_native(before, update);
    if (is_sure(before, update, native)) {
        return native;
    }
    return combine_strict(before, update);
}
