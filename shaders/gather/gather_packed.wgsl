// gather.wgsl for elements that share words. One thread computes all elements of a word of dst, so each word is written once, without
// atomics.
#import index
#import entries
#import element

@group(0) @binding(3) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (is_idle(thread)) {
        return;
    }
    let bits = countOneBits(ELEMENT_MASK); // of an element
    let in_a_word = 32u / bits;
    let first = thread * in_a_word;
    let stop = min(first + in_a_word, params.len);
    var word = 0u;
    for (var i = first; i < stop; i++) {
        let start = decode(i / params.entries.row);
        var element = params.fill.x & ELEMENT_MASK;
        if (!is_dropped(start.entry)) {
            element = load_src(start.table + place(start.entry) + i % params.entries.row);
        }
        word |= element << ((i - first) * bits);
    }
    words[thread] = word;
}
