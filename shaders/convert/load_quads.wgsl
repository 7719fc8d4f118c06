// Quads of elements: four neighbours. For passes with a parameter `sign`: the top bit of an element of src of 8 or 16 bits that is signed,
// else 0.
#import frame

@group(0) @binding(4) var<storage, read> src_pairs: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> src_quads: array<vec4<u32>>;

// Integers of 8 or 16 bits, extended to 32. Of unsigned ones `sign` is 0.
fn extended(elements: vec4<u32>) -> vec4<u32> {
    return (elements ^ vec4<u32>(params.sign)) - vec4<u32>(params.sign);
}

// Four elements of src: integers of up to 32 bits extended to 32; of 64 bits their low words; floats as bits, bfloat16 as float32.
fn load(quad: u32) -> vec4<u32> {
#ifdef FROM_8
    return extended((vec4<u32>(src[quad]) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu));
#endif
#ifdef FROM_16
    let pair = src_pairs[quad];
    let elements = (pair.xxyy >> vec4<u32>(0u, 16u, 0u, 16u)) & vec4<u32>(0xffffu);
#ifdef FROM_FLOAT
#ifdef FROM_FLOAT16
    return elements;
#else
    return elements << vec4<u32>(16u); // a bfloat16 is the upper half of a float32
#endif
#else
    return extended(elements);
#endif
#endif
#ifdef FROM_32
    return src_quads[quad];
#endif
#ifdef FROM_64
    return vec4<u32>(src_quads[2u * quad].xz, src_quads[2u * quad + 1u].xz);
#endif
}
