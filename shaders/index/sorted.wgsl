// The parameters of passes that apply sorted entries. `index` holds the rows of all entries, sorted, followed by the numbers of the entries,
// those of one row in order. A run is the entries that name one row.
#import entries
#import update

struct Params {
    head: Head,
    entries: Entries,
    update: Update,
    begin: u32,       // how many entries of each run earlier dispatches have applied
    most: u32,        // how many of each run this one applies at most
    entry_count: u32, // index entries
}
