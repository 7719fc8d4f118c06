// The parameters of a gather.
#import index
#import entries

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    fill: vec2<u32>, // the element for an entry that is left out, repeated to two words
    len: u32,        // elements of dst
}
