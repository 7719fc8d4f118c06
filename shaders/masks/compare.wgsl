// Compares the elements of src, the left operand, with those of `index`, the right one, by their values. One thread per word of dst, which has
// four truth values.
#import threads
#import place
#import pairs

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

// The tests: a number is less, less or equal, or equal.
const LESS: u32 = 0u;
const EQUAL: u32 = 2u;

fn left(i: u32) -> Place {
    let word = first_word(i, params.left.bits);
    return place_of(top_bits(vec2<u32>(src[word], src[word + 1u]), i, params.left.bits), params.left);
}

fn right(i: u32) -> Place {
    let word = first_word(i, params.right.bits);
    return place_of(top_bits(vec2<u32>(index[word], index[word + 1u]), i, params.right.bits), params.right);
}

fn passes(at: u32) -> bool {
    let pair = pair_of(at);
    let a = left(pair.x);
    let b = right(pair.y);
    // A NaN has the last place, and passes no test.
    if (max(a.high, b.high) == 0xffffffffu) {
        return false;
    }
    if (params.test == LESS) {
        return place_less(a, b);
    }
    return !place_less(b, a) && (params.test != EQUAL || !place_less(a, b));
}

fn run(thread: u32) {
    var word = 0u;
    for (var k = 0u; k < 4u; k++) {
        let at = 4u * thread + k;
        if (at < params.len) {
            word |= select(0u, 1u, passes(at) != (params.is_negated == 1u)) << (8u * k);
        }
    }
    dst[thread] = word;
}
