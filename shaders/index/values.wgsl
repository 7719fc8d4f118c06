// The parameters of passes over index values.
#import index
#import ignored

struct Params {
    head: Head,
    index: IndexFormat,
    ignored: Ignored,
}
