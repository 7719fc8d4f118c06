// For atomics.wgsl, atomics_quads.wgsl and atomics_rows.wgsl: the table as words. They write to the table by
// atomic operations only. With EXACT, `atomic_dst` has exact sums instead of the table.
#import index
#import entries
#import element
#import update
#ifdef EXACT
#import exact_add
#else
#import combine
#endif

@group(0) @binding(3) var<storage, read_write> atomic_dst: array<atomic<u32>>;
