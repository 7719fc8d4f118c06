// Adds the element of each place of the table, in `src`, to the sum of the place. One thread per place of the tile.
#import threads
#import element
#import exact_add

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;

fn run(thread: u32) {
    let element = load_src(params.tile.first + thread);
    let term = exact_term(element);
    // The usual table is zeros, which add nothing to words.
    if ((term.low | term.high | term.top) == 0u) {
        atomicStore(&atomic_dst[EXACT_WORDS * params.tile.places + thread], term.flags);
    } else {
        apply(params.tile.first + thread, element);
    }
}
