// commit.wgsl for rows of one element: a thread per four entries. quads.wgsl says which index it accepts.
#import rows
#import quads
#import element

@group(0) @binding(5) var<storage, read_write> marks: array<u32>;

// Moves one value to an element, if the entry with this mark is the last one to name the element.
fn commit(element: u32, value: u32, mark: u32) {
    if (marks[element] == mark) {
        store_dst(element, load_src(value));
    }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let quad = quad_of(thread);
    let elements = elements_named(thread, quad);
    let values = values_of(quad);
    let first = thread * 4u;
    // The last thread may have fewer than four entries. No mark is as large as that of an entry after the last one.
    commit(elements.x, values.x, first + 1u);
    commit(elements.y, values.y, first + 2u);
    commit(elements.z, values.z, first + 3u);
    commit(elements.w, values.w, first + 4u);
}
