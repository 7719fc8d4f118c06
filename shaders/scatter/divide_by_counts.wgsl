// Divides each row by the number of its terms. `index` has a count per row (mark.wgsl). A row that no entry names does not change. One
// thread per element of the table.
#import threads
#import element
#import mean

fn run(thread: u32) {
    let count = index[thread / params.row];
    if (count > 0u) {
        let terms = count + params.other_terms;
        let carry = select(0u, 1u, terms < count);
        store_dst(thread, mean(load_dst(thread), vec2<u32>(terms, carry)));
    }
}
