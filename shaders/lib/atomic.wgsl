// The table of a pass that writes to it by atomic operations only.
@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;
