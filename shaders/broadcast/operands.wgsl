// What every multiply shares. A quad is four words, that is two to sixteen elements. A thread computes a quad of the result, or several,
// and its neighbours compute the next ones.
//
// How quads of the operands are read is in a part for each QuadAccess, access_*.wgsl, and not a branch: a branch that no
// thread takes would take registers all the same.

struct OperandLoop {
    len: u32,           // rounds
    unused: u32,
    strides: vec2<u32>, // elements of x (.x) and of y (.y) from one round to the next; 0 for an operand that is repeated
}

struct Params {
    head: Head,
    loops: array<OperandLoop, 8>, // innermost first; there are three at least, of length 1 if need be
    outermost: u32,               // the number of the last of them
    len: u32,                     // elements of dst
    x_is_whole: u32,              // 1 if x has the elements of dst in the same places
    quads: u32,                   // of a thread of guarded.wgsl, 32 at most
    step: vec3<u32>,              // how far two quads of such a thread are apart in the loops: inner, middle, outer
    unused: u32,
}

@group(0) @binding(2) var<storage, read> y: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x: array<vec4<u32>>;
