// The parameters of passes over index values.
#import index

struct Params {
    head: Head,
    index: IndexFormat,
}
