// dst[i] = src[i] in another dtype: integers of up to 64 bits among each other, and dtypes of up to 32 bits among each other. One shader
// for each pair of element layouts. A quad is four neighbouring elements, converted without a branch. A thread has one, two or four quads,
// so that it moves at least 16 bytes. All code is in integers.
#import frame
#import load_quads
#import float_quads

// What dst stores of four elements, in the low bits. `elements` are as `load` returns them.
fn converted(elements: vec4<u32>) -> vec4<u32> {
#ifdef TO_BOOL
#ifdef FROM_FLOAT
    return select(NONE, ONES, (elements & MAGNITUDE) != NONE); // NaN is true
#else
    return select(NONE, ONES, elements != NONE);
#endif
#elifdef TO_FLOAT
#ifdef FROM_FLOAT
    return float_of_float(elements);
#else
    return float_of_whole(elements);
#endif
#elifdef FROM_FLOAT
    return whole_of_float(elements);
#else
    return elements; // integers wrap
#endif
}

#ifdef TO_8
@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn store(quad: u32, elements: vec4<u32>) {
    let placed = (elements & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    dst[quad] = placed.x | placed.y | placed.z | placed.w;
}
#endif
#ifdef TO_16
@group(0) @binding(3) var<storage, read_write> dst: array<vec2<u32>>;

fn store(quad: u32, elements: vec4<u32>) {
    dst[quad] = (elements.xz & vec2<u32>(0xffffu)) | (elements.yw << vec2<u32>(16u));
}
#endif
#ifdef TO_32
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;

fn store(quad: u32, elements: vec4<u32>) {
    dst[quad] = elements;
}
#endif
#ifdef TO_64
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;

fn store(quad: u32, elements: vec4<u32>) {
    let is_negative = (elements & vec4<u32>(0x80000000u)) != vec4<u32>(0u);
    let high = select(vec4<u32>(0u), vec4<u32>(0u - params.is_signed), is_negative);
    dst[2u * quad] = vec4<u32>(elements.x, high.x, elements.y, high.y);
    // The data may end with the first half.
    if (4u * quad + 2u < params.len) {
        dst[2u * quad + 1u] = vec4<u32>(elements.z, high.z, elements.w, high.w);
    }
}
#endif

fn convert(quad: u32) {
    if (quad < params.quads) {
#ifdef WIDENED
        // Two elements in each word, extended by ones where their top bit is set and `sign` asks for that.
        let word = src[quad];
        let halves = vec2<u32>(word, word >> 16u);
        let pairs = (halves & vec2<u32>(0xffu)) | ((halves & vec2<u32>(0xff00u)) << vec2<u32>(8u));
        dst[quad] = pairs | ((pairs & vec2<u32>(params.sign * 0x10001u)) * 0x1feu);
#elifdef NARROWED
        let pairs = src_pairs[quad];
        let halves = (pairs & vec2<u32>(0xffu)) | ((pairs >> vec2<u32>(8u)) & vec2<u32>(0xff00u));
        dst[quad] = halves.x | (halves.y << 16u);
#else
        store(quad, converted(load(quad)));
#endif
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // The quads of a thread are WORKGROUP apart, so that neighbouring threads access neighbouring quads. Loops are slow on some adapters.
    let number = group_number(group);
#ifdef FOUR_QUADS
    let first = 4u * WORKGROUP * number + lane;
    convert(first);
    convert(first + WORKGROUP);
    convert(first + 2u * WORKGROUP);
    convert(first + 3u * WORKGROUP);
#elifdef TWO_QUADS
    let first = 2u * WORKGROUP * number + lane;
    convert(first);
    convert(first + WORKGROUP);
#else
    convert(WORKGROUP * number + lane);
#endif
}
