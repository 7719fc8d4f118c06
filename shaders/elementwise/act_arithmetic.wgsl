// Activations of floats that consist of single operations, each rounded as the CPU rounds it: of float32 or float64. They do not use the
// adapter's operations: x is a product, and a compiler may fuse it with them. Attributes are float32 numbers, in float64 too.
#import act_bits
#ifdef FLOAT64
#import strict_double_divide
#import strict_double_sqrt

const FIFTIETH: Real = vec2<u32>(0x40000000u, 0x3f947ae1u); // 0.02
const FIFTH: Real = vec2<u32>(0xa0000000u, 0x3fc99999u);    // 0.2
const THREE: Real = vec2<u32>(0u, 0x40080000u);

fn sum(a: Real, b: Real) -> Real {
    return strict_double_add(a, b);
}

fn times(a: Real, b: Real) -> Real {
    return strict_double_multiply(a, b);
}

fn quotient(a: Real, b: Real) -> Real {
    return strict_double_divide(a, b);
}

fn root(x: Real) -> Real {
    return strict_double_sqrt(x);
}
#else
#import strict_divide

const FIFTIETH: Real = 0x3ca3d70au; // 0.02
const FIFTH: Real = 0x3e4ccccdu;    // 0.2
const THREE: Real = 0x40400000u;

fn sum(a: Real, b: Real) -> Real {
    return strict_add(a, b);
}

fn times(a: Real, b: Real) -> Real {
    return strict_multiply(a, b);
}

fn quotient(a: Real, b: Real) -> Real {
    return strict_divide(a, b);
}

fn root(x: Real) -> Real {
    return strict_sqrt(x);
}
#endif

// 0.2 x + 0.5, limited to 0 .. 1.
fn act_hard_sigmoid(x: Real) -> Real {
    return clamp_from_zero(sum(times(FIFTH, x), HALF), ONE);
}

// x times (x + 3, limited to 0 .. 6) / 6. The division comes before the multiplication, so that large x stay finite.
fn act_hard_swish(x: Real) -> Real {
    return times(quotient(clamp_from_zero(sum(x, THREE), SIX), SIX), x);
}

// x above 0, else 0.02 x.
fn act_leaky_relu(x: Real) -> Real {
    if (is_positive(x)) {
        return x;
    }
    return times(FIFTIETH, x);
}

fn act_reciprocal(x: Real) -> Real {
    return quotient(ONE, x);
}

// 1 / √x, rounded twice: the root, then the quotient.
fn act_rsqrt(x: Real) -> Real {
    return quotient(ONE, root(x));
}

// x moved towards 0 by 0.5; 0 for |x| <= 0.5.
fn act_softshrink(x: Real) -> Real {
    if (is_nan(x)) {
        return x;
    }
    if (!is_less(HALF, x & ~SIGN)) {
        return Real();
    }
    // 0.5 with the opposite sign of x.
    return sum(x, HALF | (~x & SIGN));
}

// x / (|x| + 1).
fn act_softsign(x: Real) -> Real {
    return quotient(x, sum(x & ~SIGN, ONE));
}

fn act_sqrt(x: Real) -> Real {
    return root(x);
}

fn act_square(x: Real) -> Real {
    return times(x, x);
}
