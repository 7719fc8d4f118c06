// Writes how many terms each sum of a tile has, as int64. `src` has the sums. One thread per place of the tile.
#import threads
#import exact_layout

@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

fn run(thread: u32) {
    // The last two words of a sum, which are signed.
    let at = (params.tile.record - 2u) * params.tile.places + thread;
    let place = params.tile.first + thread;
    counts[2u * place] = src[at];
    counts[2u * place + 1u] = src[at + params.tile.places] - (src[at] >> 31u);
}
