// Combines each part of the terms of a column to one element of dst, which has those of all parts. No order changes the result: the
// operation is an integer sum, a maximum or a minimum.
#import threads
#import dims
#import combine

fn run(thread: u32) {
    let at = column_and_part(thread);
    let start = start_of(at.x);
    var result = load_src(start + term_at(at.y));
    for (var term = at.y + params.parts; term < params.terms; term += params.parts) {
        result = combine(result, load_src(start + term_at(term)));
    }
    store_dst(thread, result);
}
