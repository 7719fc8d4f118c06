// Writes how many terms each sum of a tile has, as int64. `src` has the sums. One thread per place of the tile.
#import frame
#import exact_layout

@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (thread < params.head.threads) {
        // The last two words of a sum, which are signed.
        let at = (params.tile.record - 2u) * params.tile.places + thread;
        let place = params.tile.first + thread;
        counts[2u * place] = src[at];
        counts[2u * place + 1u] = src[at + params.tile.places] - (src[at] >> 31u);
    }
}
