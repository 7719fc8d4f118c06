// Sorted edges of any dtype.
#import frame
#import place

// The bits of edge `i`, in the top bits.
fn edge_bits(i: u32) -> vec2<u32> {
    let word = first_word(i, params.edge.bits);
    return top_bits(vec2<u32>(index[word], index[word + 1u]), i, params.edge.bits);
}

fn edge(i: u32) -> Place {
    return place_of(edge_bits(i), params.edge);
}
