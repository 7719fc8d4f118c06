// How an update is combined with the element that is there: `combine(before, update)`, or with ATOMIC `apply(i, update)`, which combines
// element i of the table atomically. REDUCE is a file of this folder. Elements of up to 32 bits are in the low bits of a word; 64 bits are two
// words, the low one first; floats are bits.
#import #{REDUCE}
