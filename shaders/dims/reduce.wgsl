// Combines each part of the terms of a column to one element of dst, which has those of all parts. No order changes the result: the
// operation is an integer sum, a maximum or a minimum. With FROM_8, FROM_16 or FROM_32, terms are integers of so many bits, which become
// elements first.
#import dims
#import element
#import combine

alias State = Element;

fn term(at: u32, number: u32) -> State {
#ifdef FROM_8
    return widened((src[at >> 2u] >> ((at & 3u) << 3u)) & 0xffu);
#elifdef FROM_16
    return widened((src[at >> 1u] >> ((at & 1u) << 4u)) & 0xffffu);
#elifdef FROM_32
    return widened(src[at]);
#else
    return load_src(at);
#endif
}

// An integer with its sign in all bits above. `params.sign` is its top bit, or 0 if it is unsigned.
fn widened(x: u32) -> Element {
    let word = (x ^ params.sign) - params.sign;
#ifdef WIDTH_8
    return vec2<u32>(word, select(0u, 0xffffffffu, (x & params.sign) != 0u));
#else
    return word;
#endif
}

fn better(a: State, b: State) -> State {
    return combine(a, b);
}

fn store(at: u32, state: State) {
    store_dst(at, state);
}
