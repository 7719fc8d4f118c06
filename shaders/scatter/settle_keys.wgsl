// Combines each element of the table with the element of its key in `src`, the winner among its updates. One thread per element.
#import element
#import combine
#import keys

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads) {
        return;
    }
#ifdef WIDTH_8
    let key = load_src(thread);
    let is_named = (key.x | key.y) != 0u;
#else
    let key = src[thread];
    let is_named = key != 0u;
#endif
    if (is_named) {
        store_dst(thread, combine(load_dst(thread), element_of(key)));
    }
}
