// One value for all, of a word: whoever comes last leaves it there.
fn apply(i: u32, update: Element) {
    atomicStore(&atomic_dst[i], update);
}
