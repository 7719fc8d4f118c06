// Sorted edges of any dtype, and the elements that are searched in them. All numbers have one order: that of a word with sign and exponent, then
// of the 64 most significant bits. NaN is behind everything, and both zeros are equal.
#import frame
#import number

struct Place {
    high: u32,
    low: vec2<u32>,
}

fn place_of(bits: vec2<u32>, format: Format) -> Place {
    let number = take_apart(bits, format);
    if (number.is_nan) {
        return Place(0xffffffffu, ALL_BITS);
    }
    if (is_zero(number)) {
        return Place(TOP_BIT, vec2<u32>());
    }
    let shift = wide_leading_zeros(number.magnitude);
    // Every exponent is above -4096 and below 8192.
    let high = TOP_BIT | u32(number.exponent - i32(shift) + 4096);
    let low = wide_shift_left(number.magnitude, shift);
    if (number.is_negative) {
        return Place(~high, ~low);
    }
    return Place(high, low);
}

fn place_less(a: Place, b: Place) -> bool {
    return a.high < b.high || (a.high == b.high && wide_less(a.low, b.low));
}

// Where element `i` is: its first word, and how far to shift this to the left so that the element is in the top bits.
fn word_of(i: u32, bits: u32) -> vec2<u32> {
    if (bits == 64u) {
        return vec2<u32>(2u * i, 0u);
    }
    let per_word = 32u / bits;
    return vec2<u32>(i / per_word, 32u - bits - (i % per_word) * bits);
}

// The bits of edge `i`, in the top bits.
fn edge_bits(i: u32) -> vec2<u32> {
    let word = word_of(i, params.edge.bits);
    if (params.edge.bits == 64u) {
        return vec2<u32>(index[word.x], index[word.x + 1u]);
    }
    return vec2<u32>(0u, (index[word.x] << word.y) & ~(0x7fffffffu >> (params.edge.bits - 1u)));
}

fn edge(i: u32) -> Place {
    return place_of(edge_bits(i), params.edge);
}
