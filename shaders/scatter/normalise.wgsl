// dst[k] = the row that index entry k names; SKIPPED if the entry is skipped. One thread per entry. No pass reads dst of a refused
// operation.
#import threads
#import row_of
#import element

fn run(k: u32) {
    dst[k] = row_of(k);
}
