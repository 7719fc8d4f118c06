// For every index entry, dst row = the src row that the entry names. dst has the rows in the order of the entries. One thread per
// element of dst, or per larger unit; then `entries` and `position_of` count units. Two variants:
//
//   NARROW  elements share words: one thread computes all elements of a word of dst, so each word is written once, without atomics
//   QUADS   rows of one element of one word: a thread per four elements of dst. It writes whole quads: dst has room for one at the end
#import threads
#import index
#import entries
#ifdef QUADS
#import quads

@group(0) @binding(3) var<storage, read_write> dst_quads: array<vec4<u32>>;

fn run(thread: u32) {
    let elements = elements_named(thread, quad_of(thread));
    dst_quads[thread] = vec4<u32>(src[elements.x], src[elements.y], src[elements.z], src[elements.w]);
}
#else
#import element

fn gathered(i: u32) -> Element {
    let start = decode(i / params.entries.row);
    var element = element_of_bits(params.fill);
    if (!is_skipped(start.entry)) {
        element = load_src(start.table + position_of(start.entry) + i % params.entries.row);
    }
    return element;
}

#ifdef NARROW
@group(0) @binding(3) var<storage, read_write> words: array<u32>;

fn run(thread: u32) {
    let in_a_word = 1u << IN_WORD;
    let first = thread * in_a_word;
    let stop = min(first + in_a_word, params.len);
    var word = 0u;
    for (var i = first; i < stop; i++) {
        word |= (gathered(i) & ELEMENT_MASK) << shift_of(i);
    }
    words[thread] = word;
}
#else
fn run(thread: u32) {
    store_dst(thread, gathered(thread));
}
#endif
#endif
