// A sort by one digit, four bits of an entry's row, has three passes: digit_count.wgsl, digit_scan.wgsl, digit_scatter.wgsl. The first
// and the last share this file. A tile is 4,096 neighbouring rows and has one workgroup. A thread counts the digits of its rows in
// its own counters, two of 16 bits per word: word (digit & 7) has that digit in its lower half and digit + 8 in its upper half. Shared
// atomic counters would need less code, but some drivers of mobile GPUs lose atomic additions to workgroup memory.
//
// The passes write to temporary memory only, so they are harmless in a refused operation.
#import frame

const TILE: u32 = 4096u;
const DIGITS: u32 = 16u;

// Eight words for each thread: that of pair p of digits, p and p + 8, is at p * WORKGROUP + lane.
var<workgroup> counts: array<u32, 8u * WORKGROUP>;
