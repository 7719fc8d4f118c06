// Writes one result about the groups of equal elements, int64. `src` has what group_ranks.wgsl and digit_scan.wgsl wrote. One thread per sorted
// element.
#import threads

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

const TILE: u32 = 4096u;

// `GroupResult` of src/sort/gpu.rs.
const INVERSE: u32 = 0u; // for each element its group; index has the order of the elements, as for group_ranks.wgsl
const INDEX: u32 = 1u;   // for each group its first element; index has the order
const BEGINS: u32 = 2u;  // for each group its first place in the sorted row
const COUNTS: u32 = 3u;  // for each group its number of elements; index has BEGINS
const COUNT: u32 = 4u;   // the number of groups

fn group_of(at: u32) -> u32 {
    let tiles = (params.entry_count + TILE - 1u) / TILE;
    return src[at / TILE] + src[tiles + at] - 1u;
}

fn write(position: u32, value: u32) {
    dst[2u * position] = value;
    dst[2u * position + 1u] = 0u;
}

fn run(at: u32) {
    let own = group_of(at);
    let is_first = at == 0u || group_of(max(at, 1u) - 1u) != own;
    let is_last = at + 1u == params.entry_count || group_of(min(at + 1u, params.entry_count - 1u)) != own;
    if (params.result == INVERSE) {
        write(index[params.entry_count + at], own);
    } else if (params.result == INDEX && is_first) {
        write(own, index[params.entry_count + at]);
    } else if (params.result == BEGINS && is_first) {
        write(own, at);
    } else if (params.result == COUNTS && is_last) {
        write(own, at + 1u - index[2u * own]);
    } else if (params.result == COUNT && at + 1u == params.entry_count) {
        write(0u, own + 1u);
    }
}
