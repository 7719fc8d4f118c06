// The keys of a search of elements in edges of their dtype, which has at most 32 bits: the keys of key.wgsl as one word, or for a search behind equal
// edges, the complements of these.
#import key

fn search_key(i: u32) -> u32 {
    return (key_of(i, params.order).x ^ params.flip) & (0xffffffffu >> (32u - params.order.element_bits));
}
