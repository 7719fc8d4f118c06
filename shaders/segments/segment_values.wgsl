// Lengths or offsets of segments, int32 or int64, for passes with parameters `words` and `rows`. `index` has them.
#import wide

// Value number `at`, as 64 bits.
fn value(at: u32) -> vec2<u32> {
    if (params.words == 2u) {
        return vec2<u32>(index[2u * at], index[2u * at + 1u]);
    }
    let low = index[at];
    return vec2<u32>(low, select(0u, 0xffffffffu, (low & 0x80000000u) != 0u));
}

fn is_negative(number: vec2<u32>) -> bool {
    return (number.y & 0x80000000u) != 0u;
}
