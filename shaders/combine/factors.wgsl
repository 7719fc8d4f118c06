// Products of integers of up to 32 bits, atomically. WGSL has no atomic product. So a thread multiplies the word that it read, and writes the
// product if nobody wrote in between. It tries this a bounded number of times. If others were always faster, it leaves the factor in
// `factors`, where sums take its place: each odd number is a power of 5 or the negative of one, modulo 2^32, so that exponents add up. No
// thread waits for another, and every order of threads gives the same product.
//
// `factors` is zero at first. Its first word becomes 1 if a factor was left. Behind it, element i has two words: the sum of the exponents of 5,
// and the sum of the exponents of 2 with the sign in the top bit. settle_factors.wgsl multiplies them.
#import width

@group(0) @binding(5) var<storage, read_write> factors: array<atomic<u32>>;

const TRIES: u32 = 16u;

// The exponent e below 2^30 with 5^e = x modulo 2^32, for x = 1 modulo 4. 5^(2^k) is 1 + 2^(k + 2) modulo 2^(k + 3): it changes bit k + 2, and
// no bit below. So each step makes one more bit of the power agree with x.
fn exponent_of(x: u32) -> u32 {
    var power = 5u;
    var reached = 1u;
    var exponent = 0u;
    for (var k = 0u; k < 30u; k++) {
        if ((((reached ^ x) >> (k + 2u)) & 1u) == 1u) {
            reached *= power;
            exponent |= 1u << k;
        }
        power *= power;
    }
    return exponent;
}

fn leave(i: u32, factor: u32) {
    atomicStore(&factors[0], 1u);
    if (factor == 0u) {
        atomicAdd(&factors[2u * i + 2u], 32u);
        return;
    }
    let twos = countTrailingZeros(factor);
    let odd = factor >> twos;
    let is_negative = (odd & 2u) != 0u;
    atomicAdd(&factors[2u * i + 1u], exponent_of(select(odd, 0u - odd, is_negative)));
    atomicAdd(&factors[2u * i + 2u], twos + select(0u, 0x80000000u, is_negative));
}

// Multiplies element i of the table by an update.
fn apply(i: u32, update: Element) {
#ifdef NARROW
    let word = i >> IN_WORD;
    let shift = shift_of(i);
#else
    let word = i;
    let shift = 0u;
#endif
    var before = atomicLoad(&atomic_dst[word]);
    var is_done = false;
    for (var tries = 0u; tries < TRIES && !is_done; tries++) {
        let product = (((before >> shift) * update) & ELEMENT_MASK) << shift;
        let swap = atomicCompareExchangeWeak(&atomic_dst[word], before, (before & ~(ELEMENT_MASK << shift)) | product);
        is_done = swap.exchanged;
        before = swap.old_value;
    }
    // A loop of one round: some adapters run both sides of a branch, but no loop without a thread in it.
    while (!is_done) {
        leave(i, update);
        is_done = true;
    }
}
