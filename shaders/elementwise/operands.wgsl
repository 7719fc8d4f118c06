// The common part of every operation on two tensors: the places of the operands of a quad of the result. A thread
// computes one quad or several, and neighbouring threads compute neighbouring quads. `operands(q, c)` returns the quads of x and of y for
// quad q at the coordinates c. `start_of(q)` returns these coordinates.
//
// Each QuadAccess is a variant of the shader, not a branch: even a branch that no thread takes costs registers.
#import frame
#ifdef ELEMENTS
#import access_elements
#else
#import access_quads
#endif
#import OperandLoop

@group(0) @binding(2) var<storage, read> y: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> dst: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> x: array<vec4<u32>>;

// The loop coordinates of an element or a quad of the result. The third loop and all outer loops share a coordinate.
struct Coordinates {
    outer: u32,  // in loops[2] and further ones, as one number
    middle: u32, // in loops[1]
    inner: u32,  // in loops[0]
}

// The coordinates of round number `round` of the innermost loop. Remainders come from quotients, because a division takes longer than
// all other steps.
fn coordinates(round: u32) -> Coordinates {
    let rows = round / params.loops[0].len;
    let outer = rows / params.loops[1].len;
    return Coordinates(outer, rows - outer * params.loops[1].len, round - rows * params.loops[0].len);
}

// The same place with `inner` and `middle` within their loops: each may be beyond the end by less than a length.
fn carried(c: Coordinates) -> Coordinates {
    let inner_len = params.loops[0].len;
    let middle_len = params.loops[1].len;
    let middle = c.middle + select(0u, 1u, c.inner >= inner_len);
    return Coordinates(
        c.outer + select(0u, 1u, middle >= middle_len),
        middle - select(0u, middle_len, middle >= middle_len),
        c.inner - select(0u, inner_len, c.inner >= inner_len));
}

// Quad q of an x that has the elements of dst at the same positions.
fn whole_x(q: u32) -> vec4<u32> {
#ifdef IN_PLACE
    return dst[q]; // the result overwrites x, so read it before
#else
    return x[q];
#endif
}
