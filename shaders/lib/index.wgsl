// Turns index values into positions in the table, for passes with a parameter `index`. An index entry is a tuple of one or more values,
// its components. Its position is the sum of value times stride. A negative value counts from the end of its dimension.
#import frame
#import IndexFormat

// The low word of index value number `at`. Value c of an entry is number entry * component_count + c.
fn index_low(at: u32) -> u32 {
    return index[at * params.index.words];
}

// The high word of index value number `at`. For int32, the sign of the low word fills it.
fn index_high(at: u32) -> u32 {
    if (params.index.words == 2u) {
        return index[at * 2u + 1u];
    }
    return select(0u, 0xffffffffu, (index_low(at) & 0x80000000u) != 0u);
}

// Bound (.x) and stride (.y) of component c.
fn component(c: u32) -> vec2<u32> {
    let pair = params.index.components[c / 2u];
    return select(pair.xy, pair.zw, (c & 1u) == 1u);
}

// The summand of component c in an entry's position. Its values are in bounds, so the low word is enough.
fn contribution(entry: u32, c: u32) -> u32 {
    let value = index_low(entry * params.index.component_count + c);
    let bound_stride = component(c);
    return select(value, value + bound_stride.x, (value & 0x80000000u) != 0u) * bound_stride.y;
}

// An entry's position, to add to the start from `decode` in entries.wgsl, in the unit of slot_stride. The entry's values are in
// bounds.
fn position_of(entry: u32) -> u32 {
    if (params.index.component_count == 1u) {
        return contribution(entry, 0u) * params.index.slot_stride;
    }
    var sum = 0u;
    for (var c = 0u; c < params.index.component_count; c++) {
        sum += contribution(entry, c);
    }
    return sum * params.index.slot_stride;
}

// Whether an entry is skipped. Such an index has positions of one word each.
fn is_skipped(entry: u32) -> bool {
    return params.index.drops != 0u && index[entry] == SKIPPED;
}
