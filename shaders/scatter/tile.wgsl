// A tile of updates of one element in workgroup memory, in order. A workgroup loads it together.
#import combine

var<workgroup> tile: array<Element, 1024>;
// The element, when the tiles so far are applied.
var<workgroup> element_so_far: Element;

// Turns so far, of all tiles and elements.
var<private> turn: u32;

// Applies the first `count` updates of the tile. All threads call this together, with one count. Eight threads take turns of 128 updates,
// from call to call, because each runs a limited number of rounds. They are far apart: llvmpipe counts the rounds of neighbours together.
fn apply_tile(lane: u32, count: u32) {
    workgroupBarrier();
    for (var begin = 0u; begin < count; begin += 128u) {
        if (lane == turn % 8u * (WORKGROUP / 8u)) {
            var value = element_so_far;
            for (var k = begin; k < min(begin + 128u, count); k++) {
                value = combine(value, tile[k]);
            }
            element_so_far = value;
        }
        turn += 1u;
        workgroupBarrier();
    }
}
