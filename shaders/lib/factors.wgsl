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

#ifdef NARROW
// The word of element i, with the element multiplied.
fn multiplied(word: u32, i: u32, update: Element) -> u32 {
    let mask = ELEMENT_MASK << shift_of(i);
    return (word & ~mask) | ((((word >> shift_of(i)) * update) << shift_of(i)) & mask);
}
#else
const IN_WORD: u32 = 0u;

fn multiplied(word: u32, i: u32, update: Element) -> u32 {
    return word * update;
}
#endif

// Multiplies the first `count` of four elements of the table by their updates. One loop for all: an empty loop costs as much as many operations.
fn apply_four(elements: vec4<u32>, updates: vec4<u32>, count: u32) {
    let words = elements >> vec4<u32>(IN_WORD);
    var left = vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(count);
    var before = vec4<u32>(
        atomicLoad(&atomic_dst[words.x]), atomicLoad(&atomic_dst[words.y]),
        atomicLoad(&atomic_dst[words.z]), atomicLoad(&atomic_dst[words.w]),
    );
    for (var tries = 0u; tries < TRIES && any(left); tries++) {
        if (left.x) {
            let swap = atomicCompareExchangeWeak(&atomic_dst[words.x], before.x, multiplied(before.x, elements.x, updates.x));
            left.x = !swap.exchanged;
            before.x = swap.old_value;
        }
        if (left.y) {
            let swap = atomicCompareExchangeWeak(&atomic_dst[words.y], before.y, multiplied(before.y, elements.y, updates.y));
            left.y = !swap.exchanged;
            before.y = swap.old_value;
        }
        if (left.z) {
            let swap = atomicCompareExchangeWeak(&atomic_dst[words.z], before.z, multiplied(before.z, elements.z, updates.z));
            left.z = !swap.exchanged;
            before.z = swap.old_value;
        }
        if (left.w) {
            let swap = atomicCompareExchangeWeak(&atomic_dst[words.w], before.w, multiplied(before.w, elements.w, updates.w));
            left.w = !swap.exchanged;
            before.w = swap.old_value;
        }
    }
    // No round if nothing is left: some adapters run both sides of a branch, but no loop without a thread in it.
    for (var k = 0u; k < 4u && any(left); k++) {
        if (left[k]) {
            leave(elements[k], updates[k]);
        }
    }
}
