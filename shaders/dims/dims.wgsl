// For reduce.wgsl and find.wgsl: where the terms of an element of the result are in src.
//
// A column is an element of the result. A thread has a part of the terms of one column: every one in `parts`, so that neighbouring threads
// read neighbouring elements.
#import frame
#import element
#import nan

// The column of a thread, and the number of its first term.
fn column_and_part(thread: u32) -> vec2<u32> {
    if (params.by_columns == 1u) {
        let part = thread / params.columns;
        return vec2<u32>(thread - part * params.columns, part);
    }
    let column = thread / params.parts;
    return vec2<u32>(column, thread - column * params.parts);
}

// The first term of a column.
fn start_of(column: u32) -> u32 {
    var rest = column;
    var at = 0u;
    for (var l = params.kept_count; l > 1u; l--) {
        let axis = loop_of(params.kept[(l - 1u) / 2u], l - 1u);
        let outer = rest / axis.x;
        at += (rest - outer * axis.x) * axis.y;
        rest = outer;
    }
    return at + rest * params.kept[0].y;
}

// How far a term is from the first one of its column.
fn term_at(number: u32) -> u32 {
    var rest = number;
    var at = 0u;
    for (var l = params.reduced_count; l > 1u; l--) {
        let axis = loop_of(params.reduced[(l - 1u) / 2u], l - 1u);
        let outer = rest / axis.x;
        at += (rest - outer * axis.x) * axis.y;
        rest = outer;
    }
    return at + rest * params.reduced[0].y;
}

// Rounds and stride of loop number l, of the pair that it is in.
fn loop_of(pair: vec4<u32>, l: u32) -> vec2<u32> {
    return select(pair.xy, pair.zw, (l & 1u) == 1u);
}
