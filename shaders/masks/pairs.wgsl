// The elements of two operands that an element of the result is made of, by the loops of the parameters, innermost first.
#import OperandLoop

fn pair_of(i: u32) -> vec2<u32> {
    var rest = i;
    var places = vec2<u32>();
    for (var l = 0u; l < params.loop_count; l++) {
        let round = rest % params.loops[l].len;
        rest = rest / params.loops[l].len;
        places += round * params.loops[l].strides;
    }
    return places;
}
