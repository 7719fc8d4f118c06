// dst row = combine(dst row, src row) for every entry, in row-major order. `index` holds the rows of all entries, sorted,
// followed by the numbers of the entries, those of one row in order. For few rows that many entries name: one workgroup per
// row of the table and 256 elements of it. All of its threads load updates to workgroup memory, a tile at a time; then one
// thread per element applies them in order.

struct Params {
    head: Head,
    entries: Entries,
    update: Update,
    begin: u32,       // how many entries of each run earlier dispatches have applied
    most: u32,        // how many of each run this one applies at most
    entry_count: u32,
}

var<workgroup> tile: array<Element, 1024>;
var<workgroup> shared_run: vec2<u32>;

// The position of the first sorted row that is not less than `row`.
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

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let parts = (params.entries.row + 255u) / 256u;
    let number = group_number(group);
    let row = number / parts;
    let first = (number % parts) * 256u;
    let width = min(params.entries.row - first, 256u);
    if (lane == 0u) {
        shared_run = vec2<u32>(0u, 0u);
        if (!failed()) {
            let begin = first_of(row) + params.begin;
            shared_run = vec2<u32>(begin, min(first_of(row + 1u), begin + params.most));
        }
    }
    let run = workgroupUniformLoad(&shared_run);
    if (run.x >= run.y) {
        return;
    }

    // How many entries are loaded at once; a tile is four times as many.
    let together = 256u / width;
    let column = first + lane % width;
    let mine = lane / width;
    let element = row * params.entries.row + first + lane;
    var value = scalar();
    if (lane < width) {
        value = load_dst(element);
    }
    for (var at = run.x; at < run.y; at += 4u * together) {
        let count = min(run.y - at, 4u * together);
        if (mine < together) {
            for (var k = mine; k < count; k += together) {
                var update = scalar();
                if (params.update.is_scalar == 0u) {
                    let entry = index[params.entry_count + at + k];
                    update = load_src(decode(entry).value + column * params.entries.row_value_stride);
                }
                tile[k * width + lane % width] = update;
            }
        }
        workgroupBarrier();
        if (lane < width) {
            // Not unrolled: where `combine` is integer code for floats, some compilers take half a minute for eight copies
            // of it.
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
