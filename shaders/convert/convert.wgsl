// dst[i] = src[i] in another dtype, for every pair of dtypes. An element becomes an exact number. The number becomes an element,
// rounded, wrapped or cut once. All code is in integers: f32 may lose subnormal numbers, and WGSL has no f64 and no 64-bit integers.
// One thread per word of dst, or per element of two words.
#import threads
#import element
#import number
#import any_element

fn run(thread: u32) {
    let from_format = params.from_format;
    let to_format = params.to_format;
    // The elements of a thread: those of a word of dst, or one element of two words.
    let in_a_word = max(32u / to_format.bits, 1u);
    var words = vec2<u32>();
    for (var k = 0u; k < in_a_word; k++) {
        let i = thread * in_a_word + k;
        if (i >= params.len) {
            break;
        }
        let word = first_word(i, from_format.bits);
        let bits = top_bits(vec2<u32>(src[word], src[word + 1u]), i, from_format.bits);
        let number = take_apart(bits, from_format);
        // A truth value, unless a branch below replaces it. NaN is true.
        var element = vec2<u32>(select(1u, 0u, is_zero(number)), 0u);
        if (to_format.exponent_bits != 0u) {
            element = to_float(number, to_format);
        } else if (to_format.is_bool == 0u) {
            element = to_integer(number, to_format, from_format.exponent_bits != 0u);
        }
        words |= wide_shift_left(element, k * to_format.bits);
    }
    if (to_format.bits == 64u) {
        dst[2u * thread] = words.x;
        dst[2u * thread + 1u] = words.y;
    } else {
        dst[thread] = words.x;
    }
}
