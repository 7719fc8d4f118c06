// For reduce.wgsl and find.wgsl: their parameters, and where the terms of an element of the result are in src.
//
// A column is an element of the result. A thread has a part of the terms of one column: every one in `parts`, so that neighbouring threads
// read neighbouring elements.
#import frame
#import element
#import nan

struct Params {
    head: Head,
    kept: array<vec4<u32>, 4>,    // the loops over columns, outermost first, two in a vector: rounds, and elements from one round to the next
    reduced: array<vec4<u32>, 4>, // the loops over the terms of a column
    bits: FloatBits,              // see nan.wgsl
    kept_count: u32,
    reduced_count: u32,
    columns: u32,
    terms: u32,                   // of a column
    parts: u32,                   // of a column
    by_columns: u32,              // 1 if neighbouring threads have neighbouring columns, else they have neighbouring parts of one
}

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
