// The same for lists with more than MEDIUM entries. A workgroup has `each` elements of their rows, one after the other.
// It looks at the index itself, in order, four entries for each thread at a time. A dispatch looks at those from `begin` to before `end`.
// All threads load the updates of the entries that name the row, and some apply them.
#import lists
#import row_of
#import update_of
#import element
#import tile
#import scan

// Has the row of the list. Without a list it is SKIPPED.
var<workgroup> shared_row: u32;

// Loads the updates of those of four entries for each thread that name a row. Their number is the last of `sums`.
fn load_tile(begin: u32, row: u32, in_row: u32, lane: u32) {
    // A thread has four neighbouring entries.
    let first = begin + 4u * lane;
    var named = 0u;
    for (var i = 0u; i < 4u; i++) {
        if (first + i < params.end && row_of(first + i) == row) {
            named |= 1u << i;
        }
    }
    var position = sum_before(lane, countOneBits(named));
    for (var i = 0u; i < 4u; i++) {
        if (((named >> i) & 1u) != 0u) {
            tile[position] = update_of(first + i, in_row);
            position += 1u;
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group_number(group) * params.each;
    for (var at = first; at < first + params.each; at++) {
        let in_row = at % params.entries.row;
        if (lane == 0u) {
            shared_row = select(longer_row(1u, at / params.entries.row), SKIPPED, failed());
            if (shared_row != SKIPPED) {
                element_so_far = load_dst(shared_row * params.entries.row + in_row);
            }
        }
        // All threads take the same list: the barriers below need uniform control flow.
        let row = workgroupUniformLoad(&shared_row);
        if (row == SKIPPED) {
            return;
        }
        for (var begin = params.begin; begin < params.end; begin += 4u * WORKGROUP) {
            load_tile(begin, row, in_row, lane);
            apply_tile(lane, workgroupUniformLoad(&sums[WORKGROUP - 1u]));
        }
        if (lane == 0u) {
            store_dst(row * params.entries.row + in_row, element_so_far);
        }
    }
}
