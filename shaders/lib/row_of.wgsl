// The row of the table that an index entry names, for passes that count the table in rows.
#import index
#import entries

// `SKIPPED` if the entry is skipped.
fn row_of(k: u32) -> u32 {
    let start = decode(k);
    return select(start.table + position_of(start.entry), SKIPPED, is_skipped(start.entry));
}
