// dst row = combine(dst row, src row) for every index entry, in row-major order, for few rows that many entries name. A workgroup has
// one row of the table, and up to WORKGROUP of its elements, its columns. All threads load updates to workgroup memory, a tile at a time.
// Then one thread per column applies the updates in order.
#import update_of
#import element
#import combine

// The updates of a tile: all columns of one entry, then those of the next.
var<workgroup> tile: array<Element, 4u * WORKGROUP>;
// The run of this workgroup's row (`run_of`); empty if the operation was refused.
var<workgroup> shared_run: vec2<u32>;

// The position of the first sorted entry with a row not less than `row`, by a binary search.
fn first_of(row: u32) -> u32 {
    var low = 0u;
    var high = params.entry_count;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (index[middle] < row) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// This dispatch applies the sorted entries from .x to before .y to a row: none if .x is not below .y, for a short run or a workgroup
// after the last row.
fn run_of(row: u32) -> vec2<u32> {
    let begin = first_of(row) + params.begin;
    return vec2<u32>(begin, min(first_of(row + 1u), begin + params.most));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let parts = (params.entries.row + WORKGROUP - 1u) / WORKGROUP; // workgroups for each row
    let number = group_number(group);
    let row = number / parts;
    let first = (number % parts) * WORKGROUP;               // the first column of this workgroup, as an element of the row
    let width = min(params.entries.row - first, WORKGROUP); // the number of its columns
    if (lane == 0u) {
        shared_run = vec2<u32>(0u, 0u);
        if (!failed()) {
            shared_run = run_of(row);
        }
    }
    // All threads take the same run: the barriers below need uniform control flow.
    let run = workgroupUniformLoad(&shared_run);
    if (run.x >= run.y) {
        return;
    }

    // Entries per load: a thread loads one column of one entry. A tile is four loads.
    let together = WORKGROUP / width;
    // The column and the entry of a load that belong to this thread.
    let column = first + lane % width;
    let mine = lane / width;
    // To apply, each of the first `width` threads has a column, with this element of the table. The other threads have none.
    let element = row * params.entries.row + first + lane;
    var value = scalar();
    if (lane < width) {
        value = load_dst(element);
    }
    for (var at = run.x; at < run.y; at += 4u * together) {
        let count = min(run.y - at, 4u * together);
        // If WORKGROUP is not a multiple of the width, some threads load nothing.
        if (mine < together) {
            for (var k = mine; k < count; k += together) {
                tile[k * width + lane % width] = update_of(index[params.entry_count + at + k], column);
            }
        }
        workgroupBarrier();
        if (lane < width) {
            // Not unrolled by hand: if `combine` is integer code for floats, some compilers take half a minute for eight copies of it.
            for (var k = lane; k < count * width; k += width) {
                value = combine(value, tile[k]);
            }
        }
        workgroupBarrier();
    }
    if (lane < width) {
        store_dst(element, value);
    }
}
