// One value for all, of two words: whoever comes last leaves it there.
fn apply(i: u32, update: Element) {
    atomicStore(&atomic_dst[2u * i], update.x);
    atomicStore(&atomic_dst[2u * i + 1u], update.y);
}
