// What every pass shares: the head of its parameters, bindings, thread numbers, the status of the operation.
//
// A pass declares its own `struct Params`, whose first member is `head: Head`; src/backend/gpu/shaders/params.rs has the same
// structs. Bindings are the same for all passes, so that one layout serves them (src/backend/gpu/shaders/pipelines.rs); `dst`, at
// binding 3, is declared with the width of its elements (element.wgsl).

struct Head {
    threads: u32,    // how many invocations have work; others of the last workgroups do nothing
    grid_width: u32, // workgroups in one row of the dispatch
    slot: u32,       // the number of this operation's status slot, of four words; slot 0 never fails
    zero: u32,       // always 0, which no compiler knows: see native_float.wgsl and scaled.wgsl
    first_row: u32,  // how many rows of the grid earlier dispatches of this pass have run
    unused_0: u32,
    unused_1: u32,
    unused_2: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(4) var<storage, read> src: array<u32>;

// The word of the status buffer that counts what has run. It is in slot 0, which is not used otherwise.
const ARRIVALS: u32 = 1u;

// The number of a workgroup in its pass, from its workgroup_id. A device limits the workgroups in each dimension, so a pass is a
// grid of rows of `grid_width` workgroups. A pass that is too much work for a submission is several dispatches of some rows each.
//
// Every thread of every pass calls this once, so this is where a dispatch is counted as run: each thread of its first workgroup counts
// itself. The host compares the count with what it dispatched, and so notices work that a driver dropped
// (src/backend/gpu/faults/dropped.rs).
fn group_number(group: vec3<u32>) -> u32 {
    if (group.x == 0u && group.y == 0u) {
        atomicAdd(&status[ARRIVALS], 1u);
    }
    return (params.head.first_row + group.y) * params.head.grid_width + group.x;
}

// The number of a thread in its pass, from its workgroup_id and local_invocation_index, for workgroups of 256.
fn thread_number(group: vec3<u32>, lane: u32) -> u32 {
    return group_number(group) * 256u + lane;
}

// Whether the operation was refused, so that the pass must write nothing. A status slot of a scatter or gather has four words: the complement
// of the number of the first index value that is out of bounds; that value's low and high word; and the complement of the number of the
// first divisor that is zero. All are 0 if nothing is wrong. atomicMax of complements finds the smallest number. If only a divisor is
// wrong, the first word is 1. edges.wgsl describes the slots of a histogram.
fn failed() -> bool {
    // Most operations have slot 0. HLSL has no atomic load: on D3D12 the load below is an atomic write, which all threads would make to
    // one address.
    if (params.head.slot == 0u) {
        return false;
    }
    return atomicLoad(&status[params.head.slot * 4u]) != 0u;
}
