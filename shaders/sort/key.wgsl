// Keys: unsigned integers in the order of the elements, low word first. All NaN have one key, the largest, and both zeros share one. Bits
// above those of an element may be set; the same numbers have the same.
#import frame
#import wide
#import KeyFormat

// Element `i` of src, in the low bits.
fn element(i: u32, bits: u32) -> vec2<u32> {
    if (bits == 64u) {
        return vec2<u32>(src[2u * i], src[2u * i + 1u]);
    }
    let per_word = 32u / bits;
    let word = src[i / per_word] >> ((i % per_word) * bits);
    return vec2<u32>(word & (0xffffffffu >> (32u - bits)), 0u);
}

fn key_of(i: u32, format: KeyFormat) -> vec2<u32> {
    var bits = element(i, format.element_bits);
    var key = bits ^ format.sign;
    if (format.is_float == 1u) {
        let magnitude = bits & ~format.sign;
        if (wide_less(format.infinity, magnitude)) {
            return vec2<u32>(0xffffffffu, 0xffffffffu);
        }
        bits = select(bits, vec2<u32>(), all(magnitude == vec2<u32>()));
        key = select(bits | format.sign, ~bits, any((bits & format.sign) != vec2<u32>()));
    }
    return select(key, ~key, format.is_descending == 1u);
}
