// What every pass shares: parameters, bindings, thread numbering, decoding, index positions, status.
// Bindings are the same for all passes, so that one layout serves them (src/backend/gpu/pipelines.rs);
// `dst`, at binding 3, is declared with the width of its elements.

struct Params {
    // Loops over index entries, outermost first: length, dst or table stride, value stride, index stride.
    // What the second and third mean for dst and src is said by each pass.
    loops: array<vec4<u32>, 8>,
    loop_count: u32,
    threads: u32,        // how many invocations have work
    grid_width: u32,     // workgroups in one row of the dispatch
    slot: u32,           // where this operation's status is; slot 0 never fails
    bound: u32,          // index values are in -bound .. bound-1
    place_stride: u32,   // table elements from one index value to the next
    index_words: u32,    // 1 for int32, 2 for int64
    is_scalar: u32,      // the source is `scalar`, not `src`
    axis_begin: u32,     // the loop along the indexed dimension, of which this dispatch runs a part
    axis_end: u32,
    axis_value_stride: u32,
    axis_index_stride: u32,
    scalar: vec2<u32>,
    elements: u32,       // of the result, where threads make several
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

// Where the thread's coordinates in the loops lead.
fn decode(thread: u32) -> Start {
    var rest = thread;
    var start = Start(0u, 0u, 0u);
    for (var l = params.loop_count; l > 0u; l--) {
        let next = params.loops[l - 1u];
        let coordinate = rest % next.x;
        rest /= next.x;
        start.table += coordinate * next.y;
        start.value += coordinate * next.z;
        start.entry += coordinate * next.w;
    }
    return start;
}

// A status slot is four words: the complement of the first bad entry (0 while none is), the bad value's
// low and high word, and one unused.
fn failed() -> bool {
    return atomicLoad(&status[params.slot * 4u]) != 0u;
}

fn index_low(entry: u32) -> u32 {
    return index[entry * params.index_words];
}

fn index_high(entry: u32) -> u32 {
    if (params.index_words == 2u) {
        return index[entry * 2u + 1u];
    }
    return select(0u, 0xffffffffu, (index_low(entry) & 0x80000000u) != 0u);
}

// The place that a valid index value names along the indexed dimension.
fn position(entry: u32) -> u32 {
    let value = index_low(entry);
    return select(value, value + params.bound, (value & 0x80000000u) != 0u);
}

// Completes the report of a refused operation; called by one thread of the pass that would have written.
fn report() {
    let first_bad = ~atomicLoad(&status[params.slot * 4u]);
    atomicStore(&status[params.slot * 4u + 1u], index_low(first_bad));
    atomicStore(&status[params.slot * 4u + 2u], index_high(first_bad));
}
