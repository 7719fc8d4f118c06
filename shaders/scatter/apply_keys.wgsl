// Combines each element of the table with the element of its key in `src`, the extreme of its updates. One thread per element.
#import threads
#import element
#import combine
#import keys

fn run(thread: u32) {
#ifdef WIDTH_8
    let key = load_src(thread);
    let is_named = (key.x | key.y) != 0u;
#else
    let key = src[thread];
    let is_named = key != 0u;
#endif
    if (is_named) {
        store_dst(thread, combine(load_dst(thread), element_of(key)));
    }
}
