// dst row = combine(dst row, src row) for every index entry, in row-major order. One thread per element of the table. `index` has the
// lists. A list has any order, so the thread traverses it again for every eight of its entries: each time it finds the eight smallest numbers that it has
// not applied yet. It leaves a list with more than SHORT entries to the next pass.
#import threads
#import lists
#import update_of
#import element
#import combine

// Stands behind the last number. All vectors of numbers are sorted.
const NONE: vec4<u32> = vec4<u32>(0xffffffffu);

fn run(element: u32) {
    let row = element / params.entries.row;
    let in_row = element % params.entries.row;
    let last = index[params.entry_count + row];
    if (last == 0u) {
        return;
    }
    var value = load_dst(element);
    var first = 0u; // the smallest number that is not applied yet
    var applied = 0u;
    // As many rounds as the longest list needs, whatever memory holds.
    for (var round = 0u; round < SHORT / 8u; round++) {
        var low = NONE;
        var high = NONE;
        var at = last;
        var count = 0u;
        while (at != 0u && count < SHORT) {
            let k = at - 1u;
            at = index[k];
            count += 1u;
            // A number moves to its position, and those behind it move up.
            let new_number = vec4<u32>(select(k, NONE.x, k < first));
            high = min(max(vec4<u32>(low.w, high.xyz), new_number), high);
            low = min(max(vec4<u32>(0u, low.xyz), new_number), low);
        }
        if (at != 0u) {
            if (in_row == 0u) {
                note_longer(0u, row);
            }
            return;
        }
        while (low.x != NONE.x) {
            value = combine(value, update_of(low.x, in_row));
            first = low.x + 1u;
            applied += 1u;
            low = vec4<u32>(low.yzw, high.x);
            high = vec4<u32>(high.yzw, NONE.x);
        }
        if (applied >= count) {
            break;
        }
    }
    store_dst(element, value);
}
