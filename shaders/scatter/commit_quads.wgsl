// commit.wgsl for rows of one element: a thread per four entries. quads.wgsl says which index it accepts.
#import index
#import entries
#import quads
#import element

@group(0) @binding(5) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let quad = quad_of(thread);
    let elements = elements_named(thread, quad);
    let values = values_of(quad);
    let marked = vec4<u32>(marks[elements.x], marks[elements.y], marks[elements.z], marks[elements.w]);
    // The last thread may have fewer than four entries. No mark is as large as that of an entry after the last one.
    let is_last = marked == vec4<u32>(thread * 4u) + vec4<u32>(1u, 2u, 3u, 4u);
    if (is_last.x) {
        store_dst(elements.x, load_src(values.x));
    }
    if (is_last.y) {
        store_dst(elements.y, load_src(values.y));
    }
    if (is_last.z) {
        store_dst(elements.z, load_src(values.z));
    }
    if (is_last.w) {
        store_dst(elements.w, load_src(values.w));
    }
}
