// Adds the element of each place of the table, in `src`, to the sum of the place. One thread per place of the tile.
#import frame
#import element
#import exact_add

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (thread >= params.head.threads) {
        return;
    }
    let element = load_src(params.tile.first + thread);
    let term = exact_term(element);
    // The usual table is zeros, which add nothing to words.
    if ((term.low | term.high | term.top) == 0u) {
        atomicStore(&atomic_dst[EXACT_WORDS * params.tile.places + thread], term.flags);
    } else {
        apply(params.tile.first + thread, element);
    }
}
