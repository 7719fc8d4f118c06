// The quotient of an element and an update. Quotients of integers are cut towards zero; their divisors are not 0, as an earlier check
// made sure. The smallest integer divided by -1 is itself: for 32 bits WGSL defines it so, for fewer bits the mask, for 64 bits the
// magnitude wraps.
#import division

fn combine(before: Element, update: Element) -> Element {
#ifdef INT
#ifdef UNSIGNED
    return before / update;
#else
    // Shifting left and back as a signed integer extends the element's sign to the whole word.
    let unused_bits = countLeadingZeros(ELEMENT_MASK);
    let dividend = i32(before << unused_bits) >> unused_bits;
    let divisor = i32(update << unused_bits) >> unused_bits;
    return u32(dividend / divisor) & ELEMENT_MASK;
#endif
#elifdef INT64
#ifdef UNSIGNED
    return wide_divide(before, update).xy;
#else
    let quotient = wide_divide(wide_magnitude(before), wide_magnitude(update)).xy;
    if (((before.y ^ update.y) & 0x80000000u) != 0u) {
        return wide_subtract(vec2<u32>(0u, 0u), quotient);
    }
    return quotient;
#endif
#elifdef HALF
    return half_round(strict_divide(half_widen(before), half_widen(update)));
#elifdef FLOAT32
    return strict_divide(before, update);
#elifdef FLOAT64
    return strict_double_divide(before, update);
#endif
}
