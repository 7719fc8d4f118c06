// dst[k] = paired(x[…], y[…]) for every element k of the result: the operation on the two elements that broadcasting pairs. One thread
// per quad of four words: threads write whole quads, so they never share a word, even where elements do. If both operands have the
// shape of dst, a quad costs 48 bytes of reads and writes. With ALONE there is no y: dst[k] = ACT of x[k].
#import threads
#import operands
#ifdef SHORT
#import unrolled
#elifdef ACT
#import looped
#else
#import unrolled
#endif

fn run(q: u32) {
#ifdef ALONE
    dst[q] = combined(whole_x(q), vec4<u32>());
#else
    let quads = operands(q, start_of(q));
    dst[q] = combined(quads[0], quads[1]);
#endif
}
