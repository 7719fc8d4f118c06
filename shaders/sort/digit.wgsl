// A sort by one digit, four bits of the row that an entry names, has three passes: digit_count.wgsl, digit_scan.wgsl, digit_scatter.wgsl. This is
// shared by the first and the last. A tile is 4,096 neighbouring rows and has a workgroup. A thread counts the digits of its 16 rows in
// counters of its own, two of 16 bits in a word: word (digit & 7) has that digit in its lower half and digit + 8 in its upper half. Atomic
// counters for all threads would be less code, but some drivers of mobile GPUs lose atomic additions to workgroup memory.
//
// The passes write to temporary memory only, so they do no harm in an operation that was refused.
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
