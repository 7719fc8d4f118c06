// Searches each element of src among the keys of sorted edges in `index`: writes how many edges are before it, as int64. One thread per element.
#import threads
#import search_key

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn run(at: u32) {
    let wanted = search_key(at);
    let is_right = params.flip != 0u;
    var passed = 0u;
    for (var step = params.step; step > 0u; step >>= 1u) {
        let next = passed + step;
        if (next <= params.edge_count) {
            // Of complements the order is in reverse: an edge is passed unless the element is below it.
            passed = select(passed, next, (index[next - 1u] < wanted) != is_right);
        }
    }
    dst[2u * at] = passed;
    dst[2u * at + 1u] = 0u;
}
