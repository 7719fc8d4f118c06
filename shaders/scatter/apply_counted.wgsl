// Applies the scalar to each row as often as `index` says (mark.wgsl with COUNT). One thread per element of the table.
#import threads
#import update
#import element
#import repeat

fn run(thread: u32) {
    let count = index[thread / params.row];
    if (count > 0u) {
        store_dst(thread, repeated(load_dst(thread), count));
    }
}
