// Conversions of four numbers at once between integers and floats of up to 32 bits, in integers. Bits of floats are words.

const NONE: vec4<u32> = vec4<u32>(0u);
const ONES: vec4<u32> = vec4<u32>(1u);
const TOP_BITS: vec4<u32> = vec4<u32>(0x80000000u);

// The float dtype of src; a bfloat16 comes as a float32. A number is its significand times 2^(exponent field - UNIT).
#ifdef FROM_FLOAT16
const FRACTION_BITS: u32 = 10u;
const UNIT: u32 = 25u;
const MAGNITUDE: vec4<u32> = vec4<u32>(0x7fffu);
const INFINITE: vec4<u32> = vec4<u32>(0x7c00u);
const SIGN: vec4<u32> = vec4<u32>(0x8000u);
#else
const FRACTION_BITS: u32 = 23u;
const UNIT: u32 = 150u;
const MAGNITUDE: vec4<u32> = vec4<u32>(0x7fffffffu);
const INFINITE: vec4<u32> = vec4<u32>(0x7f800000u);
const SIGN: vec4<u32> = vec4<u32>(0x80000000u);
#endif

// The bits of an integer of src.
#ifdef FROM_8
const WHOLE_BITS: u32 = 8u;
#elifdef FROM_16
const WHOLE_BITS: u32 = 16u;
#else
const WHOLE_BITS: u32 = 32u;
#endif

// The float dtype of dst: its fraction bits, what the exponent field of 1 is, the bits of infinity, and the place of its sign.
#ifdef TO_16
#ifdef TO_FLOAT16
const TO_FRACTION_BITS: u32 = 10u;
const TO_BIAS: u32 = 15u;
const TO_INFINITE: vec4<u32> = vec4<u32>(0x7c00u);
#else
const TO_FRACTION_BITS: u32 = 7u;
const TO_BIAS: u32 = 127u;
const TO_INFINITE: vec4<u32> = vec4<u32>(0x7f80u);
#endif
const TO_SIGN_SHIFT: u32 = 16u;
#else
const TO_FRACTION_BITS: u32 = 23u;
const TO_BIAS: u32 = 127u;
const TO_INFINITE: vec4<u32> = vec4<u32>(0x7f800000u);
const TO_SIGN_SHIFT: u32 = 0u;
#endif

// Drops the lowest bits and rounds to the nearest number, ties to even. 1 to 31 bits are dropped.
fn without_bits(x: vec4<u32>, dropped: vec4<u32>) -> vec4<u32> {
    let kept = x >> dropped;
    let below = x << (vec4<u32>(32u) - dropped);
    // Up from above one half, and from one half if the last place is odd.
    return kept + select(NONE, ONES, below > TOP_BITS - (kept & ONES));
}

// Four integers as floats of dst, rounded to nearest, ties to even.
fn float_of_whole(numbers: vec4<u32>) -> vec4<u32> {
    let signs = numbers & (TOP_BITS * params.is_signed);
    let magnitude = select(numbers, NONE - numbers, signs != NONE);
    let shift = countLeadingZeros(magnitude | ONES);
    var significand = (magnitude << shift) >> vec4<u32>(31u - TO_FRACTION_BITS);
    if (WHOLE_BITS > TO_FRACTION_BITS + 1u) {
        significand = without_bits(magnitude << shift, vec4<u32>(31u - TO_FRACTION_BITS));
    }
    // The top bit of the significand adds one to the exponent field.
    let bits = ((vec4<u32>(TO_BIAS + 30u) - shift) << vec4<u32>(TO_FRACTION_BITS)) + significand;
    return (signs >> vec4<u32>(TO_SIGN_SHIFT)) | select(min(bits, TO_INFINITE), NONE, magnitude == NONE);
}

// Four floats as integers: fractions are cut off, numbers beyond the dtype of dst become its nearest end, NaN becomes 0.
fn whole_of_float(bits: vec4<u32>) -> vec4<u32> {
    let magnitude = bits & MAGNITUDE;
    let field = magnitude >> vec4<u32>(FRACTION_BITS);
    // The top bit of a significand is not stored. A subnormal number has none, but is cut to 0 all the same.
    let significand = (magnitude & vec4<u32>((1u << FRACTION_BITS) - 1u)) | vec4<u32>(1u << FRACTION_BITS);
    let right = min(max(vec4<u32>(UNIT), field) - field, vec4<u32>(31u));
    let left = min(max(field, vec4<u32>(UNIT)) - vec4<u32>(UNIT), vec4<u32>(8u));
    // From 2^32 on, and infinite.
    let is_beyond = field > vec4<u32>(UNIT + 8u);
    let size = select((significand >> right) << left, vec4<u32>(0xffffffffu), is_beyond | (magnitude == INFINITE));
    let is_negative = (bits & SIGN) != NONE;
    let limited = min(size, select(vec4<u32>(params.most), vec4<u32>(params.least), is_negative));
    return select(select(limited, NONE - limited, is_negative), NONE, magnitude > INFINITE);
}

// Four floats as floats of dst, rounded to nearest, ties to even. Any NaN becomes one NaN.
fn float_of_float(elements: vec4<u32>) -> vec4<u32> {
    var bits = elements;
#ifdef FROM_FLOAT16
    bits = widened(elements);
#endif
#ifdef TO_16
    let magnitude = bits & vec4<u32>(0x7fffffffu);
    let signs = (bits >> vec4<u32>(16u)) & vec4<u32>(0x8000u);
#ifdef TO_FLOAT16
    // The bias goes from 127 to 15. Below 2^-14 the last place stays 2^-24.
    let field = magnitude >> vec4<u32>(23u);
    let is_subnormal = field < vec4<u32>(113u);
    let significand = (magnitude & vec4<u32>(0x7fffffu)) | vec4<u32>(0x800000u);
    let dropped = select(vec4<u32>(13u), min(vec4<u32>(126u) - field, vec4<u32>(31u)), is_subnormal);
    let nearest = without_bits(select(magnitude - vec4<u32>(0x38000000u), significand, is_subnormal), dropped);
#else
    let nearest = without_bits(magnitude, vec4<u32>(16u));
#endif
    // A carry into the exponent field is right: the next power of two, or infinity.
    let quiet = TO_INFINITE | vec4<u32>(1u << (TO_FRACTION_BITS - 1u));
    return select(signs | min(nearest, TO_INFINITE), quiet, magnitude > vec4<u32>(0x7f800000u));
#else
    return bits;
#endif
}

// Four float16 as float32.
fn widened(elements: vec4<u32>) -> vec4<u32> {
    let magnitude = elements & vec4<u32>(0x7fffu);
    // The bias goes from 15 to 127; infinities and NaN move to the field of all ones.
    let is_finite = magnitude < vec4<u32>(0x7c00u);
    let normal = (magnitude << vec4<u32>(13u)) + select(vec4<u32>(0x70000000u), vec4<u32>(0x38000000u), is_finite);
    // A subnormal number: its top bit moves to bit 23, the lowest of the exponent field, and adds one there.
    let shift = countLeadingZeros(magnitude | ONES) - vec4<u32>(8u);
    let subnormal = ((vec4<u32>(125u) - shift) << vec4<u32>(23u)) + (magnitude << shift);
    let small = select(subnormal, NONE, magnitude == NONE);
    return ((elements & vec4<u32>(0x8000u)) << vec4<u32>(16u)) | select(small, normal, magnitude >= vec4<u32>(0x400u));
}
