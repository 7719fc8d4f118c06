// The rival: float32 scatter_add by compare-exchange (compare-and-swap), in whatever order threads arrive. Fast where they do not
// meet; its sums differ from run to run, which is why the library has no such kernel.

struct Params {
    updates: u32,     // entries times elements of a row; of a copy, how many times 16 bytes
    row: u32,         // elements of a row
    grid_width: u32,  // workgroups in a row of the grid
    is_scalar: u32,   // 1: every update is 1.0, and src is not read
}

@group(0) @binding(0) var<storage, read_write> dst: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> index: array<u32>;
@group(0) @binding(2) var<storage, read> src: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

// Thread k adds element k % row of the update of entry k / row to that element of the row of the table, dst, which the entry names.
// Row numbers are not checked.
@compute @workgroup_size(256)
fn add(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = (group.y * params.grid_width + group.x) * 256u + lane;
    if (k >= params.updates) {
        return;
    }
    let at = index[k / params.row] * params.row + k % params.row;
    var update = 1.0;
    if (params.is_scalar == 0u) {
        update = src[k];
    }
    var old = atomicLoad(&dst[at]);
    // Again, until no other thread has written between the load and the exchange.
    loop {
        let result = atomicCompareExchangeWeak(&dst[at], old, bitcast<u32>(bitcast<f32>(old) + update));
        if (result.exchanged) {
            break;
        }
        old = result.old_value;
    }
}

// What a kernel that only moves bytes reaches: a thread copies 16 of them.
@group(0) @binding(4) var<storage, read_write> copied: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> original: array<vec4<u32>>;

@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = (group.y * params.grid_width + group.x) * 256u + lane;
    if (k < params.updates) {
        copied[k] = original[k];
    }
}
