// Deals entries out to the rows that they name, of which there are at most 16: one thread for each share of the
// entries, with counts of its own, and no barrier. A share has a list for each row, which holds where the values of
// its entries start, in their order: list 16 · share + row has its length at that place of dst, and its content
// behind all lengths, with room for the whole share. Parameters: begin: the first entry; end: where the last one
// ends; step_entry: entries of a share; step_value: how many shares there is room for.

// Two lengths of 16 bits to a word: of rows r and r + 8.
struct Lengths {
    low: vec4<u32>,
    high: vec4<u32>,
}

var<private> lengths: Lengths;

fn deal(k: u32, lists: u32) {
    // One loop and one number to an entry: no loop runs here, not even one that a driver only masks.
    let row = k * params.loops[0].y + position(k, 0u) * params.place_stride;
    let shift = row / 8u * 16u;
    let word = vec4<u32>(row % 8u);
    let low = select(vec4<u32>(0u), vec4<u32>(0xffffu << shift), word == vec4<u32>(0u, 1u, 2u, 3u));
    let high = select(vec4<u32>(0u), vec4<u32>(0xffffu << shift), word == vec4<u32>(4u, 5u, 6u, 7u));
    let mine = (lengths.low & low) | (lengths.high & high);
    let length = (mine.x | mine.y | mine.z | mine.w) >> shift;
    dst[lists + row * params.step_entry + length] = k * params.loops[0].z;
    lengths.low += low & vec4<u32>(0x10001u);
    lengths.high += high & vec4<u32>(0x10001u);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Few threads of a workgroup have work, so that few shares are spread over many cores.
    let share = (group.y * params.grid_width + group.x) * 64u + lane;
    if (is_idle(share * 4u) || lane >= 64u) {
        return;
    }
    let lists = (params.step_value + share * params.step_entry) * 16u;
    var k = params.begin + share * params.step_entry;
    let stop = min(k + params.step_entry, params.end);
    for (; k + 3u < stop; k += 4u) {
        deal(k, lists);
        deal(k + 1u, lists);
        deal(k + 2u, lists);
        deal(k + 3u, lists);
    }
    for (; k < stop; k++) {
        deal(k, lists);
    }
    for (var c = 0u; c < 4u; c++) {
        dst[share * 16u + c] = lengths.low[c] & 0xffffu;
        dst[share * 16u + 4u + c] = lengths.high[c] & 0xffffu;
        dst[share * 16u + 8u + c] = lengths.low[c] >> 16u;
        dst[share * 16u + 12u + c] = lengths.high[c] >> 16u;
    }
}
