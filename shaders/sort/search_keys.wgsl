// Writes the key of each edge: a search reads some twenty edges for each element, and a key takes the time of twenty comparisons. One thread per edge.
#import threads
#import search_key

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn run(at: u32) {
    dst[at] = search_key(at);
}
