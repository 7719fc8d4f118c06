// What a multiply with an activation makes of each product: `activate`. ACT is the name of the activation, and ACT_FILE the file with the
// function `act_` of that name. Those of floats take and return the bits of a float32.
#import #{ACT_FILE}

fn activate(x: Element) -> Element {
#ifdef HALF
    return half_round(act_#{ACT}(half_widen(x)));
#else
    return act_#{ACT}(x);
#endif
}
