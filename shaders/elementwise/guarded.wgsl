// elementwise.wgsl for operations on float32 on some adapters, in the adapter's arithmetic. certain_*.wgsl say which of its results are certainly
// right. Integer code computes the others again.
//
// The second computation has its own loop: so the shader contains the long integer code once, and threads that need it run it together.
// A software adapter always runs it once.
#import frame
#import operands
#import looped
#import strict_float
#import certain_#{REDUCE}

// If all four results of quad q are certain, writes them and returns true. Else it writes nothing, because dst may be x, and the second
// loop reads x again. The quad is at the coordinates c. A quad after the end of the result needs no write.
fn is_done(q: u32, c: Coordinates) -> bool {
    if (q * PER_QUAD >= params.len) {
        return true;
    }
    let quads = operands(q, c);
#ifdef X_IS_SECOND
    let a = quads[1];
    let b = quads[0];
#else
    let a = quads[0];
    let b = quads[1];
#endif
    let first = certain_#{REDUCE}(a.x, b.x);
    let second = certain_#{REDUCE}(a.y, b.y);
    let third = certain_#{REDUCE}(a.z, b.z);
    let fourth = certain_#{REDUCE}(a.w, b.w);
    if (((first.y | second.y | third.y | fourth.y) & SIGN) != 0u) {
        return false;
    }
    dst[q] = vec4<u32>(first.x, second.x, third.x, fourth.x);
    return true;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // Quads of a thread are WORKGROUP apart, so that the accesses of one step are contiguous.
    let first = (thread_number(group, lane) - lane) * params.quads + lane;
    // A bit for each quad with a result that is not certain: 1 << i for quad i.
    var left = 0u;
    // Coordinates advance from quad to quad: a division for each quad would take a third of the whole time.
    var c = start_of(first);
    for (var i = 0u; i < params.quads; i++) {
        left |= select(1u << i, 0u, is_done(first + i * WORKGROUP, c));
#ifdef SAME
#else
        c = carried(Coordinates(c.outer + params.step.z, c.middle + params.step.y, c.inner + params.step.x));
#endif
    }
    while (left != 0u) {
        let q = first + firstTrailingBit(left) * WORKGROUP;
        let quads = operands_again(q);
        dst[q] = combined(quads[0], quads[1]);
        left &= left - 1u;
    }
}
