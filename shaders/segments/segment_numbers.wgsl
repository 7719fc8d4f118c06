// dst[r] = the number of the segment that has row r: how many segments end at or before it. One thread per row. `src` has the ends.
#import threads

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn run(row: u32) {
    var passed = 0u;
    for (var step = params.step; step > 0u; step >>= 1u) {
        let next = passed + step;
        if (next <= params.segments && src[next - 1u] <= row) {
            passed = next;
        }
    }
    // In a call that is refused, ends may be wrong.
    dst[row] = min(passed, params.segments - 1u);
}
