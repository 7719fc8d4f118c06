// Rounds the sums of a tile, or their means, to the elements of dst. `src` has the sums. One thread per place of the tile.
#import threads
#import element
#import exact_rounding

fn exact_word(at: u32) -> u32 {
    return src[at * params.tile.places + in_tile];
}

// The place of this thread in the tile.
var<private> in_tile: u32;

fn run(thread: u32) {
    in_tile = thread;
    let flags = exact_word(EXACT_WORDS);
    let place = params.tile.first + thread;
    var count = vec2<u32>(params.other_terms, 0u);
    if (params.counts == 1u) {
        let terms = index[place / params.row];
        if (terms == 0u) {
            return;
        }
        count = wide_add(vec2<u32>(terms, 0u), vec2<u32>(params.other_terms, 0u));
    }
    if (params.counts == 2u) {
        // Two signed words.
        let low = exact_word(EXACT_WORDS + 1u);
        count = vec2<u32>(low, exact_word(EXACT_WORDS + 2u) - (low >> 31u));
        if ((count.x | count.y) == 0u) {
            store_dst(place, exact_special(3u));
            if (params.is_mean == 0u) {
                store_dst(place, exact_element(0u));
            }
            return;
        }
    }
    if (params.is_mean == 0u) {
        count = vec2<u32>(1u, 0u);
    }
    store_dst(place, exact_rounded(flags, count));
}
