// What every pass shares: the head of its parameters, bindings, thread numbers, the status of the operation.
//
// A pass declares its own `struct Params`, whose first member is `head: Head`; src/backend/gpu/params.rs has the same
// structs. Bindings are the same for all passes, so that one layout serves them (src/backend/gpu/pipelines.rs); `dst`, at
// binding 3, is declared with the width of its elements.

struct Head {
    threads: u32,    // how many invocations have work
    grid_width: u32, // workgroups in one row of the dispatch
    slot: u32,       // where this operation's status is; slot 0 never fails
    zero: u32,       // always 0, which no compiler knows: see native_float.wgsl
    first_row: u32,  // rows of the grid that earlier dispatches of this pass had
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(4) var<storage, read> src: array<u32>;

// The word of the status buffer that counts what has run: the second of the slot that never fails.
const ARRIVALS: u32 = 1u;

// A dispatch has at most 65,535 workgroups per dimension: rows of `grid_width` are folded into y. A pass that is too much work
// for one submission is several dispatches, of some rows each.
//
// Every pass asks for its number once, before any work, so this is where the dispatch leaves the mark that it began: each thread of the
// first workgroup counts itself. src/backend/gpu/dropped.rs says what for.
fn group_number(group: vec3<u32>) -> u32 {
    if (group.x == 0u && group.y == 0u) {
        atomicAdd(&status[ARRIVALS], 1u);
    }
    return (params.head.first_row + group.y) * params.head.grid_width + group.x;
}

fn thread_number(group: vec3<u32>, lane: u32) -> u32 {
    return group_number(group) * 256u + lane;
}

// Whether the operation was refused. A status slot is four words: the complement of the number of the first index value
// that is out of bounds (0 while none is), its low and high word, and the complement of the number of the first divisor that
// is zero. Where only that is wrong, the first word is 1.
fn failed() -> bool {
    // HLSL has no atomic load: on D3D12 the look is an atomic write, which all threads would make at one address.
    if (params.head.slot == 0u) {
        return false;
    }
    return atomicLoad(&status[params.head.slot * 4u]) != 0u;
}
