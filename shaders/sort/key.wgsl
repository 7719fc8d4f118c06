// Keys: unsigned integers in the order of the elements, low word first. All NaN have one key, the largest, and both zeros share one. Bits
// above those of an element may be set; the same numbers have the same.
#import frame
#import wide
#import any_element
#import ElementOrder

fn key_of(i: u32, order: ElementOrder) -> vec2<u32> {
    let word = first_word(i, order.element_bits);
    let element = top_bits(vec2<u32>(src[word], src[word + 1u]), i, order.element_bits);
    var bits = wide_shift_right(element, 64u - order.element_bits);
    var key = bits ^ order.flip;
    if (any(order.sign != vec2<u32>())) {
        let magnitude = bits & ~order.sign;
        if (wide_less(order.infinity, magnitude)) {
            return vec2<u32>(0xffffffffu, 0xffffffffu);
        }
        bits = select(bits, vec2<u32>(), all(magnitude == vec2<u32>()));
        key = select(bits | order.sign, ~bits, any((bits & order.sign) != vec2<u32>()));
    }
    return select(key, ~key, order.is_descending == 1u);
}
