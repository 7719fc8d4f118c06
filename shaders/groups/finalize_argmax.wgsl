// The argmax of each element as int64: the position in `index`, a complement as find_argmax.wgsl left it; -1 if no update has won, or if
// self has the same bits. `src` is the table after the maxima, `extremes` the table before. One thread per element.
#import threads
#import element
#import extremes

@group(0) @binding(3) var<storage, read_write> argmax: array<u32>;

fn run(thread: u32) {
    let stayed = params.include_self == 1u && is_same(load_src(thread), load_extreme(thread));
    let position = select(~index[thread], 0xffffffffu, stayed);
    argmax[2u * thread] = position;
    // A position has 31 bits.
    argmax[2u * thread + 1u] = select(0u, 0xffffffffu, position == 0xffffffffu);
}
