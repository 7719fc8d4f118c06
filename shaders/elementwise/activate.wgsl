// `activate`: the activation that an operation on two tensors applies to each result. ACT is its name, and ACT_FILE the file with the function `act_`
// plus that name. Activations of floats take and return the bits of a float32.
#import #{ACT_FILE}
#ifdef HALF
#import strict_half
#elifdef FLOAT32
#import strict_float
#endif

fn activate(x: Element) -> Element {
#ifdef HALF
    return half_round(act_#{ACT}(result_of(half_widen(x))));
#else
    return act_#{ACT}(result_of(x));
#endif
}

// The result of an operation, which is x. Alone, a NaN becomes the one that an operation returns.
fn result_of(x: Element) -> Element {
#ifdef ALONE
#ifdef FLOAT64
    return select(x, vec2<u32>(0u, DOUBLE_QUIET_NAN), double_is_nan(x));
#elifdef SHORT_FLOAT
    return select(x, QUIET_NAN, is_nan(x));
#else
    return x;
#endif
#else
    return x;
#endif
}
