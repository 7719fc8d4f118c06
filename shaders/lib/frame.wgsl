// What every pass shares: parameters, bindings, thread numbering, decoding, index positions, status.
// Bindings are the same for all passes, so that one layout serves them (src/backend/gpu/pipelines.rs);
// `dst`, at binding 3, is declared with the width of its elements.

struct Params {
    // Loops over index entries, outermost first: length, dst or table stride, value stride, index stride.
    loops: array<vec4<u32>, 8>,
    // What the numbers of an index tuple address, two to a vector: bound, stride, bound, stride.
    components: array<vec4<u32>, 4>,
    scalar: vec2<u32>,
    is_scalar: u32,      // the source is `scalar`, not `src`
    index_words: u32,    // 1 for int32, 2 for int64
    threads: u32,        // how many invocations have work
    grid_width: u32,     // workgroups in one row of the dispatch
    slot: u32,           // where this operation's status is; slot 0 never fails
    loop_count: u32,
    component_count: u32,
    place_stride: u32,   // table elements from one position to the next
    row: u32,            // elements that move with one entry
    row_value_stride: u32,
    begin: u32,          // the part that this dispatch runs: of the loop along which entries meet,
    end: u32,            // or of a multiply's or a conversion's elements
    step_value: u32,     // its strides
    step_entry: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(4) var<storage, read> src: array<u32>;

// A dispatch has at most 65,535 workgroups per dimension: rows of `grid_width` are folded into y.
fn thread_number(group: vec3<u32>, lane: u32) -> u32 {
    return (group.y * params.grid_width + group.x) * 256u + lane;
}

struct Start {
    table: u32,
    value: u32,
    entry: u32,
}

// Where the thread's coordinates in the loops lead. The outermost loop is what the others leave, so that one loop
// costs no division.
fn decode(thread: u32) -> Start {
    var rest = thread;
    var start = Start(0u, 0u, 0u);
    for (var l = params.loop_count; l > 1u; l--) {
        let next = params.loops[l - 1u];
        let coordinate = rest % next.x;
        rest /= next.x;
        start.table += coordinate * next.y;
        start.value += coordinate * next.z;
        start.entry += coordinate * next.w;
    }
    let outermost = params.loops[0];
    start.table += rest * outermost.y;
    start.value += rest * outermost.z;
    start.entry += rest * outermost.w;
    return start;
}

// A status slot is four words: the complement of the number of the first bad index value (0 while none
// is), its low and high word, and one unused.
fn failed() -> bool {
    return atomicLoad(&status[params.slot * 4u]) != 0u;
}

// Index value number `at`: `component_count` of them make an entry.
fn index_low(at: u32) -> u32 {
    return index[at * params.index_words];
}

fn index_high(at: u32) -> u32 {
    if (params.index_words == 2u) {
        return index[at * 2u + 1u];
    }
    return select(0u, 0xffffffffu, (index_low(at) & 0x80000000u) != 0u);
}

// Bound and stride of a component.
fn component(c: u32) -> vec2<u32> {
    let pair = params.components[c / 2u];
    return select(pair.xy, pair.zw, (c & 1u) == 1u);
}

// The position that component c of a valid entry adds.
fn position(entry: u32, c: u32) -> u32 {
    let value = index_low(entry * params.component_count + c);
    let bound_stride = component(c);
    return select(value, value + bound_stride.x, (value & 0x80000000u) != 0u) * bound_stride.y;
}

// The first table element that a valid entry names.
fn place(entry: u32) -> u32 {
    if (params.component_count == 1u) {
        return position(entry, 0u) * params.place_stride;
    }
    var sum = 0u;
    for (var c = 0u; c < params.component_count; c++) {
        sum += position(entry, c);
    }
    return sum * params.place_stride;
}

// Completes the report of a refused operation.
fn report() {
    let first_bad = ~atomicLoad(&status[params.slot * 4u]);
    atomicStore(&status[params.slot * 4u + 1u], index_low(first_bad));
    atomicStore(&status[params.slot * 4u + 2u], index_high(first_bad));
}

// Whether a thread of a pass that reads the index has nothing to do. Where the operation was refused none has, and
// the first completes the report.
fn is_idle(thread: u32) -> bool {
    let refused = failed();
    if (refused && thread == 0u) {
        report();
    }
    return refused || thread >= params.threads;
}
