// The parameters of columns.wgsl and columns_guarded.wgsl, in which a thread walks along a column: the entries of one loop of the
// plan, for one combination of the coordinates of the other loops, which are those of `entries`.
struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    begin: u32,        // the first entry of each column that this dispatch applies, counted along the column
    end: u32,          // the one after the last
    value_stride: u32, // elements of src from one entry of a column to the next
    entry_stride: u32, // entries of the index from one entry of a column to the next
}
