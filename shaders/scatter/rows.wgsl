// The parameters of passes over index entries that name rows. The table is counted in rows, so `place` and its strides are rows.
#import index
#import entries

struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    entry_count: u32, // index entries
}
