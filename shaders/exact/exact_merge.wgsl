// Adds sums to those of the tile: its own other copies, or, if it has none, the sums in `src`. One thread per word of these.
#import threads
#import exact_add

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;

fn run(thread: u32) {
    let words = params.tile.places * params.tile.record;
    var word = src[thread];
    if (params.tile.copies > 1u) {
        word = atomicLoad(&atomic_dst[words + thread]);
    }
    let at = thread % words;
    let number = at / params.tile.places;
    if (number == EXACT_WORDS) {
        exact_flag(at, word);
    } else {
        let sign = u32(i32(word) >> 31u);
        let end = select(EXACT_WORDS, params.tile.record, number > EXACT_WORDS) * params.tile.places;
        exact_carry(at, end, (word ^ sign) - sign, sign);
    }
}
