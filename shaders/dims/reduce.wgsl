// Combines each part of the terms of a column to one element of dst, which has those of all parts. No order changes the result: the
// operation is an integer sum, a maximum or a minimum.
#import dims
#import element
#import combine

alias State = Element;

fn term(at: u32, number: u32) -> State {
    return load_src(at);
}

fn better(a: State, b: State) -> State {
    return combine(a, b);
}

fn store(at: u32, state: State) {
    store_dst(at, state);
}
