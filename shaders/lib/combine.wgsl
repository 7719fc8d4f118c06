// How an update is combined with the old element: `combine(before, update)`. With ATOMIC, `apply(i, update)` combines element i of the
// table atomically. REDUCE is a file of this folder. Elements of up to 32 bits are in the low bits of a word. 64 bits are two words,
// the low one first. Floats are bits.
#import #{REDUCE}
