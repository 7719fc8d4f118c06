// Activations of float64 by a few operations, each rounded as the CPU rounds it, in integers. act_arithmetic.wgsl has the same for float32.
// Attributes are float32 numbers; as float64 numbers they are written here by their high words and, where it is not 0, their low word.
#import act_double
#import strict_double_divide

// 0.2 x + 0.5, limited to 0 .. 1.
fn act_hard_sigmoid(x: vec2<u32>) -> vec2<u32> {
    let line = strict_double_add(strict_double_multiply(vec2<u32>(0xa0000000u, 0x3fc99999u), x), DOUBLE_HALF);
    return double_clamp_from_zero(line, DOUBLE_ONE);
}

// x times (x + 3, limited to 0 .. 6) / 6. The division comes before the multiplication, so that large x stay finite.
fn act_hard_swish(x: vec2<u32>) -> vec2<u32> {
    let gate = double_clamp_from_zero(strict_double_add(x, vec2<u32>(0u, 0x40080000u)), DOUBLE_SIX);
    return strict_double_multiply(strict_double_divide(gate, DOUBLE_SIX), x);
}

// x above 0, else 0.02 x.
fn act_leaky_relu(x: vec2<u32>) -> vec2<u32> {
    if (double_exceeds(x, DOUBLE_ZERO)) {
        return x;
    }
    return strict_double_multiply(vec2<u32>(0x40000000u, 0x3f947ae1u), x);
}

fn act_reciprocal(x: vec2<u32>) -> vec2<u32> {
    return strict_double_divide(DOUBLE_ONE, x);
}

// x moved towards 0 by 0.5; 0 for |x| <= 0.5.
fn act_softshrink(x: vec2<u32>) -> vec2<u32> {
    if (double_is_nan(x)) {
        return x;
    }
    if (!wide_less(DOUBLE_HALF, double_magnitude(x))) {
        return DOUBLE_ZERO;
    }
    return strict_double_add(x, DOUBLE_HALF | vec2<u32>(0u, ~x.y & DOUBLE_SIGN));
}

// x / (|x| + 1).
fn act_softsign(x: vec2<u32>) -> vec2<u32> {
    return strict_double_divide(x, strict_double_add(double_magnitude(x), DOUBLE_ONE));
}

fn act_square(x: vec2<u32>) -> vec2<u32> {
    return strict_double_multiply(x, x);
}
