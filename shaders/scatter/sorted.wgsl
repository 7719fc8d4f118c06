// The parameters of passes that apply sorted entries. `index` has the rows of all entries, sorted, then the numbers of the entries;
// entries of one row stay in order. A run is the entries that name one row.
#import entries
#import update

struct Params {
    head: Head,
    entries: Entries,
    update: Update,
    begin: u32,       // the entries of each run that earlier dispatches applied
    most: u32,        // the most entries of each run in this dispatch
    entry_count: u32, // index entries
}
