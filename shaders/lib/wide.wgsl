// 64-bit integers in two words, low word first, unsigned unless a comment says otherwise.

fn wide_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn wide_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// a · 2^by modulo 2^64, by < 64. WGSL shifts a word by less than 32 only.
fn wide_shift_left(a: vec2<u32>, by: u32) -> vec2<u32> {
    if (by >= 32u) {
        return vec2<u32>(0u, a.x << (by - 32u));
    }
    if (by == 0u) {
        return a;
    }
    return vec2<u32>(a.x << by, (a.y << by) | (a.x >> (32u - by)));
}

// The whole part of a / 2^by, by < 64. WGSL shifts a word by less than 32 only.
fn wide_shift_right(a: vec2<u32>, by: u32) -> vec2<u32> {
    if (by >= 32u) {
        return vec2<u32>(a.y >> (by - 32u), 0u);
    }
    if (by == 0u) {
        return a;
    }
    return vec2<u32>((a.x >> by) | (a.y << (32u - by)), a.y >> by);
}

// a shifted right by `by` < 64 bits. The lowest bit records whether a set bit was shifted out (sticky).
fn wide_shift_right_sticky(a: vec2<u32>, by: u32) -> vec2<u32> {
    if (by == 0u) {
        return a;
    }
    let lost = wide_shift_left(a, 64u - by);
    return wide_shift_right(a, by) | vec2<u32>(select(0u, 1u, (lost.x | lost.y) != 0u), 0u);
}

fn wide_leading_zeros(a: vec2<u32>) -> u32 {
    return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

// All 64 bits of the product of two words, by halves of 16 bits: no sum below exceeds 32 bits.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    return vec2<u32>((other << 16u) | (low & 0xffffu), a_high * b_high + (middle >> 16u) + (other >> 16u));
}
