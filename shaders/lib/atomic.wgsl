// The table of a pass that writes to it by atomic operations only, and its parameters: atomics.wgsl, atomics_quads.wgsl, atomics_rows.wgsl.

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    entry_count: u32,
    span: u32, // threads of an entry, each with four elements at most, or with eight (atomics_rows.wgsl); 1 in atomics_quads.wgsl
}

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;
