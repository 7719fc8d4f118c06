// Adds sums to those of the tile: its own other copies, or, if it has none, the sums in `src`. One thread per word of these.
#import frame
#import exact_add

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (thread >= params.head.threads) {
        return;
    }
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
