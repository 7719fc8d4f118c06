// For reduce.wgsl and find.wgsl: the part of the terms of a column that a thread combines, and how a workgroup combines the results of its
// threads. The pass declares the result of terms as `State`, and has the functions `term(at, number)`, `better(a, b)` and `store(at, state)`.
//
// A column is an element of the result. A part of its terms has `lanes` threads of one workgroup, a power of two. A thread has every term
// in `parts · lanes`, at least one. Neighbouring threads read neighbouring elements: of columns that are neighbours, else of one column.
// Without LANES there is one lane: software adapters run a shader without barriers faster.
#import frame

#ifdef LANES
var<workgroup> states: array<State, WORKGROUP>;
#endif

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

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let number = group_number(group);
    // Columns, or parts of columns, of a workgroup.
    let width = WORKGROUP / params.lanes;
    var column: u32;
    var part: u32;
    var lane: u32;
    // From a thread to the next lane of its part.
    var apart = 1u;
    if (params.by_columns == 1u) {
        let groups = (params.columns + width - 1u) / width;
        part = number / groups;
        column = (number - part * groups) * width + thread % width;
        lane = thread / width;
        apart = width;
    } else {
        let at = number * width + thread / params.lanes;
        column = at / params.parts;
        part = at - column * params.parts;
        lane = thread % params.lanes;
    }
    let is_idle = column >= params.columns || part >= params.parts;
    var state: State;
    if (!is_idle) {
        let start = start_of(column);
        let first = part * params.lanes + lane;
        state = term(start + term_at(first), first);
        for (var at = first + params.parts * params.lanes; at < params.terms; at += params.parts * params.lanes) {
            state = better(state, term(start + term_at(at), at));
        }
    }
#ifdef LANES
    // A quarter of the lanes takes the results of the others, or of two lanes one: barriers take longer than this.
    for (var left = params.lanes; left > 1u;) {
        let next = (left + 3u) >> 2u;
        states[thread] = state;
        workgroupBarrier();
        if (lane < next) {
            state = better(state, states[thread + next * apart]);
            if (left > 2u) {
                state = better(state, states[thread + 2u * next * apart]);
                state = better(state, states[thread + 3u * next * apart]);
            }
        }
        workgroupBarrier();
        left = next;
    }
#endif
    if (!is_idle && lane == 0u) {
        store(select(column * params.parts + part, part * params.columns + column, params.by_columns == 1u), state);
    }
}
