//! Pairs of float32 that try arithmetic, and the random numbers that the tests use.

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine. `Numbers(seed)` begins them.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Any 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound` − 1; `bound` is not 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One element of a list, which is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// Exponent fields (biased by 127) around zero, one, a significand's width, the ends of the range, and those between which
/// `shaders/elementwise/guarded.wgsl` trusts the adapter; and half the bias and half as much again, whose products are near both ends.
const EXPONENTS: [u32; 19] =
    [0, 1, 2, 23, 24, 25, 31, 32, 63, 64, 126, 127, 128, 150, 151, 190, 253, 254, 255];
/// Fractions whose sums and products carry, tie and cancel.
const FRACTIONS: [u32; 9] = [0, 1, 2, 0x2a_aaaa, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_fffe, 0x7f_ffff];

/// The bits of every float32 that has one of these exponents and fractions, of both signs.
pub(crate) fn edges() -> Vec<u32> {
    let signs = [0, 1 << 31];
    let of_sign =
        |sign: u32| EXPONENTS.iter().flat_map(move |e| FRACTIONS.iter().map(move |f| sign | e << 23 | f));
    signs.into_iter().flat_map(of_sign).collect()
}

/// Every ordered pair of [`edges`], as bits; an edge is also combined with itself.
pub(crate) fn edge_pairs() -> impl Iterator<Item = (u32, u32)> {
    edges().into_iter().flat_map(|a| edges().into_iter().map(move |b| (a, b)))
}

/// Pairs of float32 as bits, without an end and the same for the same seed. Of four pairs one is any bits. The second number of
/// the others has an exponent for which rounding shows: near the first one's, where sums round and cancel, or one that puts
/// the product near 1 or near the smallest normal number.
pub(crate) fn random_pairs(seed: u64) -> impl Iterator<Item = (u32, u32)> {
    let mut numbers = Numbers(seed);
    (0..).map(move |k| {
        let bits = numbers.next();
        let (a, b) = (bits as u32, (bits >> 32) as u32);
        let exponent = |x: u32| (x >> 23) & 0xff;
        let with_exponent = |x: u32, e: u32| x & !(0xff << 23) | e.min(255) << 23;
        // The exponent that b was drawn with serves as a random offset. The exponent field of a product is about the sum
        // of the factors' fields, less 127.
        match k % 4 {
            0 => (a, b),
            1 => (a, with_exponent(b, (exponent(a) + exponent(b) % 28).saturating_sub(14))), // at most 14 apart
            2 => (a, with_exponent(b, (254 + exponent(b) % 4).saturating_sub(exponent(a)))), // product near 1
            _ => (a, with_exponent(b, (127 + exponent(b) % 30).saturating_sub(exponent(a)))), // product near the smallest
        }
    })
}
