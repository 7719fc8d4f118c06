// The parameters of a walk along columns: columns.wgsl, columns_guarded.wgsl.
struct Params {
    head: Head,
    index: IndexFormat,
    entries: Entries,
    update: Update,
    begin: u32,        // the part of each column that this dispatch applies
    end: u32,
    value_stride: u32, // elements of src from one entry of a column to the next
    entry_stride: u32, // and entries
}
