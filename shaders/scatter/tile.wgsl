// A tile of updates of one element in workgroup memory, in order. A workgroup loads it together.
#import combine

var<workgroup> tile: array<Element, 1024>;
// The element, when the tiles so far are applied.
var<workgroup> element_so_far: Element;

// Applies the first `count` updates of the tile. All threads call this together, with one count. Threads 32 apart take turns of 128 updates,
// because each runs a limited number of rounds. llvmpipe counts the rounds of neighbours together.
fn apply_tile(lane: u32, count: u32) {
    workgroupBarrier();
    for (var begin = 0u; begin < count; begin += 128u) {
        if (lane == (begin / 4u) % WORKGROUP) {
            var value = element_so_far;
            for (var k = begin; k < min(begin + 128u, count); k++) {
                value = combine(value, tile[k]);
            }
            element_so_far = value;
        }
        workgroupBarrier();
    }
}
