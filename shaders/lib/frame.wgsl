// The common part of every pass: the head of its parameters, bindings, thread numbers, the status of the operation.
//
// `Params` differs by pass; its first member is `head: Head`. All passes have the same bindings, so one layout serves them
// (src/engine/gpu/shaders/pipelines.rs). element.wgsl declares `dst`, at binding 3, with the width of its elements. A pass that needs
// one more buffer to write to declares it at binding 5.
#import Head
#import Params

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(4) var<storage, read> src: array<u32>;

// The word of the status buffer that counts finished work. Slot 0 has no other use.
const COMPLETED: u32 = 1u;

// Stands for the row or position of an index entry that is skipped.
const SKIPPED: u32 = 0xffffffffu;

// Threads of a workgroup, except in columns.wgsl. Some devices allow no more than 128.
#ifdef SMALL_WORKGROUP
const WORKGROUP: u32 = 128u;
#else
const WORKGROUP: u32 = 256u;
#endif

// The number of a workgroup in its pass, from its workgroup_id. A device limits the workgroups in each dimension, so a pass is a grid
// of rows of `grid_width` workgroups. A pass that exceeds the work of one submission takes several dispatches, of some rows each.
//
// Every thread of every pass calls this once, so this counts a dispatch as run: each thread of the dispatch's first workgroup counts
// itself. The host compares the count with its dispatches, and so detects work that a driver dropped
// (src/engine/gpu/faults/dropped.rs).
fn group_number(group: vec3<u32>) -> u32 {
    if (group.x == 0u && group.y == 0u) {
        atomicAdd(&status[COMPLETED], 1u);
    }
    return (params.head.first_row + group.y) * params.head.grid_width + group.x;
}

// The number of a thread in its pass, from its workgroup_id and local_invocation_index, for workgroups of WORKGROUP.
fn thread_number(group: vec3<u32>, lane: u32) -> u32 {
    return group_number(group) * WORKGROUP + lane;
}

// Whether the operation was refused. Then the pass must write nothing. A status slot of a scatter or gather has four words: the
// complement of the number of the first index value out of bounds; that value's low and high word; the complement of the number of the
// first zero divisor. All are 0 without a fault. The complements let atomicMax find the smallest number. If only a divisor is wrong,
// the first word is 1. edges.wgsl describes the slots of a histogram.
fn failed() -> bool {
    // Most operations have slot 0. HLSL has no atomic load: on D3D12 the load below is an atomic write, and every thread would write to
    // the same address.
    if (params.head.slot == 0u) {
        return false;
    }
    return atomicLoad(&status[params.head.slot * 4u]) != 0u;
}

// Whether a thread has no work: the operation was refused, or the thread only fills the last workgroup.
fn is_idle(thread: u32) -> bool {
    return failed() || thread >= params.head.threads;
}
