// Activations of float32 that consist of single operations, each rounded as the CPU rounds it. Each takes the bits of x and returns the
// bits of the result. They do not use the adapter's operations: x is a product, and a compiler may fuse it with them.
#import strict_divide
#import act_bits

// 0.2 x + 0.5, limited to 0 .. 1.
fn act_hard_sigmoid(x: u32) -> u32 {
    return clamp_from_zero(strict_add(strict_multiply(0x3e4ccccdu, x), HALF), ONE); // 0.2
}

// x times (x + 3, limited to 0 .. 6) / 6. The division comes before the multiplication, so that large x stay finite.
fn act_hard_swish(x: u32) -> u32 {
    let gate = clamp_from_zero(strict_add(x, 0x40400000u), 0x40c00000u); // 3, 6
    return strict_multiply(strict_divide(gate, 0x40c00000u), x); // 6
}

// x above 0, else 0.02 x.
fn act_leaky_relu(x: u32) -> u32 {
    if (is_positive(x)) {
        return x;
    }
    return strict_multiply(0x3ca3d70au, x); // 0.02
}

fn act_reciprocal(x: u32) -> u32 {
    return strict_divide(ONE, x);
}

// 1 / √x, rounded twice: the root, then the quotient.
fn act_rsqrt(x: u32) -> u32 {
    return strict_divide(ONE, strict_sqrt(x));
}

// x moved towards 0 by 0.5; 0 for |x| <= 0.5.
fn act_softshrink(x: u32) -> u32 {
    if (is_nan(x)) {
        return x;
    }
    if ((x & 0x7fffffffu) <= HALF) {
        return 0u;
    }
    // 0.5 with the opposite sign of x.
    return strict_add(x, HALF | (~x & SIGN));
}

// x / (|x| + 1).
fn act_softsign(x: u32) -> u32 {
    return strict_divide(x, strict_add(x & 0x7fffffffu, ONE));
}

fn act_sqrt(x: u32) -> u32 {
    return strict_sqrt(x);
}

fn act_square(x: u32) -> u32 {
    return strict_multiply(x, x);
}
