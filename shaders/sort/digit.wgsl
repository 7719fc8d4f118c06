// What the first and the last pass of a sort by one digit share.
#import element

struct Params {
    head: Head,
    bit: u32,         // the lowest bit of the digit
    entry_count: u32, // rows, as many as there are entries
    is_first: u32,    // of digit_scatter.wgsl: 1 if the entries are not in src yet: they are 0, 1, 2, …
}

const TILE: u32 = 4096u;
const DIGITS: u32 = 16u;

// Eight words for each of 256 threads: that of pair p of digits, p and p + 8, is at p * 256 + lane.
var<workgroup> counts: array<u32, 2048>;
