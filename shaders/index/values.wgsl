// The parameters of passes over index values.
#import index
#import ignored

struct Params {
    head: Head,
    index: IndexFormat,
    ignored: Ignored,
    counts_from_end: u32, // 1 if a negative value counts from the end, 0 if it is out of range
}
