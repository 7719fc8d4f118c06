// Units of four words, for passes that only move rows whose length and start are multiples of 16 bytes.
alias Element = vec4<u32>;

@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> src_vectors: array<vec4<u32>>;

// Writes unit i of dst.
fn store_dst(i: u32, element: Element) {
    dst[i] = element;
}

// A unit full of elements with these bits, which are the element repeated to two words.
fn element_of_bits(bits: vec2<u32>) -> Element {
    return bits.xyxy;
}

// Unit i of src.
fn load_src(i: u32) -> Element {
    return src_vectors[i];
}
