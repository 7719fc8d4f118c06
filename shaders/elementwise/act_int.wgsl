// Activations of integers of up to 32 bits. An element is in the low bits of a word (ELEMENT_MASK). The other bits are zero, in
// arguments and results. `combine` is the product, wrapped to the element's bits.
#import width
#import combine

const SIGN_BIT: u32 = ELEMENT_MASK ^ (ELEMENT_MASK >> 1u);

// |x|, wrapped: the smallest integer is its own magnitude.
fn act_abs(x: u32) -> u32 {
    return select(x, (0u - x) & ELEMENT_MASK, (x & SIGN_BIT) != 0u);
}

fn act_square(x: u32) -> u32 {
    return combine(x, x);
}

// e^x, cut towards zero, for x in 0 .. 22: e^23 has more than 32 bits.
fn exp_whole(x: u32) -> u32 {
    var powers = array<u32, 23>(
        1u, 2u, 7u, 20u, 54u, 148u, 403u, 1096u, 2980u, 8103u, 22026u, 59874u, 162754u, 442413u, 1202604u,
        3269017u, 8886110u, 24154952u, 65659969u, 178482300u, 485165195u, 1318815734u, 3584912846u,
    );
    return powers[x];
}

#ifdef UNSIGNED
// e^x, cut towards zero, at most the dtype's largest integer.
fn act_exp(x: u32) -> u32 {
    if (x > 22u) {
        return ELEMENT_MASK;
    }
    return min(exp_whole(x), ELEMENT_MASK);
}
#else
// The same for a signed integer: for negative x it is below 1.
fn act_exp(x: u32) -> u32 {
    if ((x & SIGN_BIT) != 0u) {
        return 0u;
    }
    let largest = ELEMENT_MASK >> 1u;
    if (x > 22u) {
        return largest;
    }
    return min(exp_whole(x), largest);
}
#endif
