// `activate`: the activation that an operation on two tensors applies to each result. ACT is its name, and ACT_FILE the file with the function `act_`
// plus that name. Activations of floats take and return the bits of a float32.
#import #{ACT_FILE}
#ifdef HALF
#import strict_half
#endif

fn activate(x: Element) -> Element {
#ifdef HALF
    return half_round(act_#{ACT}(half_widen(x)));
#else
    return act_#{ACT}(x);
#endif
}
