// The same for lists with more than SHORT entries and at most MEDIUM. A workgroup has `each` elements of their rows, one after the other.
// One thread collects the numbers of a list, all threads load their updates in order, and some apply them. Longer lists are left to
// the next pass.
#import lists
#import update_of
#import element
#import tile

var<workgroup> numbers: array<u32, 1024>;
// Has the row of the list and the number of its entries. Without a list the row is SKIPPED.
var<workgroup> shared_list: vec2<u32>;

fn collect(at: u32) -> vec2<u32> {
    let row = longer_row(0u, at / params.entries.row);
    if (row == SKIPPED || failed()) {
        return vec2<u32>(SKIPPED, 0u);
    }
    var next = index[params.entry_count + row];
    var count = 0u;
    while (next != 0u && count < MEDIUM) {
        numbers[count] = next - 1u;
        next = index[next - 1u];
        count += 1u;
    }
    if (next == 0u) {
        return vec2<u32>(row, count);
    }
    if (at % params.entries.row == 0u) {
        note_longer(1u, row);
    }
    return vec2<u32>(row, 0u);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group_number(group) * params.each;
    for (var at = first; at < first + params.each; at++) {
        let in_row = at % params.entries.row;
        if (lane == 0u) {
            shared_list = collect(at);
            if (shared_list.y > 0u) {
                element_so_far = load_dst(shared_list.x * params.entries.row + in_row);
            }
        }
        // All threads take the same list: the barriers below need uniform control flow.
        let list = workgroupUniformLoad(&shared_list);
        if (list.x == SKIPPED) {
            return;
        }
        for (var i = lane; i < list.y; i += 4u * WORKGROUP) {
            // A number's position is how many are smaller. A thread counts for four.
            let at_four = vec4<u32>(i, i + WORKGROUP, i + 2u * WORKGROUP, i + 3u * WORKGROUP);
            let mine = vec4<u32>(numbers[at_four.x], numbers[at_four.y], numbers[at_four.z], numbers[at_four.w]);
            var smaller = vec4<u32>(0u);
            for (var k = 0u; k < list.y; k++) {
                smaller += select(vec4<u32>(0u), vec4<u32>(1u), vec4<u32>(numbers[k]) < mine);
            }
            for (var j = 0u; j < 4u && i + j * WORKGROUP < list.y; j++) {
                tile[smaller[j]] = update_of(mine[j], in_row);
            }
        }
        apply_tile(lane, list.y);
        if (lane == 0u && list.y > 0u) {
            store_dst(list.x * params.entries.row + in_row, element_so_far);
        }
    }
}
