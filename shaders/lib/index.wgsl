// How index values become positions, for passes whose parameters have a member `index`.

struct IndexFormat {
    // What the numbers of an index tuple address, two to a vector: bound, stride, bound, stride.
    components: array<vec4<u32>, 4>,
    component_count: u32,
    words: u32,        // of a value: 1 for int32, 2 for int64
    place_stride: u32, // table elements from one position to the next
    drops: u32,        // whether DROPPED is in the place of entries that are left out
}

// Index value number `at`: `component_count` of them make an entry.
fn index_low(at: u32) -> u32 {
    return index[at * params.index.words];
}

fn index_high(at: u32) -> u32 {
    if (params.index.words == 2u) {
        return index[at * 2u + 1u];
    }
    return select(0u, 0xffffffffu, (index_low(at) & 0x80000000u) != 0u);
}

// Bound and stride of a component.
fn component(c: u32) -> vec2<u32> {
    let pair = params.index.components[c / 2u];
    return select(pair.xy, pair.zw, (c & 1u) == 1u);
}

// The position that component c of an entry adds. The entry is in bounds.
fn position(entry: u32, c: u32) -> u32 {
    let value = index_low(entry * params.index.component_count + c);
    let bound_stride = component(c);
    return select(value, value + bound_stride.x, (value & 0x80000000u) != 0u) * bound_stride.y;
}

// The first table element that an entry names. The entry is in bounds.
fn place(entry: u32) -> u32 {
    if (params.index.component_count == 1u) {
        return position(entry, 0u) * params.index.place_stride;
    }
    var sum = 0u;
    for (var c = 0u; c < params.index.component_count; c++) {
        sum += position(entry, c);
    }
    return sum * params.index.place_stride;
}

// Whether an entry is left out.
fn is_dropped(entry: u32) -> bool {
    return params.index.drops != 0u && index[entry] == 0xffffffffu;
}

// Whether a thread has nothing to do: in a refused operation, and behind the last one.
fn is_idle(thread: u32) -> bool {
    return failed() || thread >= params.head.threads;
}
