// Activations of float32 that are made of single operations, each rounded as the CPU rounds it. Uses
// strict_float.wgsl, strict_divide.wgsl and act_bits.wgsl: the adapter's own operations may be fused with the
// product before them.

fn act_hard_sigmoid(x: u32) -> u32 {
    return clamp_from_zero(strict_add(strict_multiply(0x3e4ccccdu, x), HALF), ONE); // 0.2
}

fn act_hard_swish(x: u32) -> u32 {
    let gate = clamp_from_zero(strict_add(x, 0x40400000u), 0x40c00000u); // 3, 6
    return strict_multiply(strict_divide(gate, 0x40c00000u), x);
}

fn act_leaky_relu(x: u32) -> u32 {
    if (is_positive(x)) {
        return x;
    }
    return strict_multiply(0x3ca3d70au, x); // 0.02
}

fn act_reciprocal(x: u32) -> u32 {
    return strict_divide(ONE, x);
}

fn act_rsqrt(x: u32) -> u32 {
    return strict_divide(ONE, strict_sqrt(x));
}

fn act_softshrink(x: u32) -> u32 {
    if (is_nan(x)) {
        return x;
    }
    if ((x & 0x7fffffffu) <= HALF) {
        return 0u;
    }
    return strict_add(x, HALF | (~x & SIGN));
}

fn act_softsign(x: u32) -> u32 {
    return strict_divide(x, strict_add(x & 0x7fffffffu, ONE));
}

fn act_sqrt(x: u32) -> u32 {
    return strict_sqrt(x);
}

fn act_square(x: u32) -> u32 {
    return strict_multiply(x, x);
}
