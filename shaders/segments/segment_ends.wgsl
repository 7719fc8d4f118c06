// dst[s] = the row at which segment s ends. One thread per segment. An offset says it. Lengths are added: each dispatch adds 16 sums of
// neighbouring lengths, so that a sum covers 16 times as many. Negative values count as 0, and sums stop at one more than the rows, so that
// they fit 32 bits; segment_check.wgsl finds both.
#import threads
#import segment_values

@group(0) @binding(3) var<storage, read_write> dst: array<u32>;

fn term(at: u32) -> u32 {
    if (params.is_first == 0u) {
        return src[at];
    }
    let number = value(at + params.skip);
    let limited = select(min(number.x, params.rows + 1u), params.rows + 1u, number.y != 0u);
    return select(limited, 0u, is_negative(number));
}

fn run(segment: u32) {
    var sum = 0u;
    var at = segment;
    for (var k = 0u; k < params.terms; k++) {
        sum = min(sum + term(at), params.rows + 1u);
        if (at < params.distance) {
            break;
        }
        at -= params.distance;
    }
    dst[segment] = sum;
}
