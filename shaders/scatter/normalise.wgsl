// dst[k] = the row that index entry k names; SKIPPED if the entry is skipped. One thread per entry. No pass reads dst of a refused
// operation.
#import threads
#import index
#import entries
#import element

fn run(k: u32) {
    let start = decode(k);
    dst[k] = select(start.table + position_of(start.entry), SKIPPED, is_skipped(start.entry));
}
