// The number of the first term in each part of a column that equals the column's element of `index`, its largest or smallest: as numbers, so
// that zeros of both signs are equal, and NaN equals NaN. 0xffffffff if the part has none.
#import threads
#import dims
#import nan

// The element of `index` for a column.
fn best_of(column: u32) -> Element {
#ifdef NARROW
    return (index[column >> IN_WORD] >> shift_of(column)) & ELEMENT_MASK;
#elifdef WIDTH_8
    return vec2<u32>(index[2u * column], index[2u * column + 1u]);
#else
    return index[column];
#endif
}

fn run(thread: u32) {
    let at = column_and_part(thread);
    let start = start_of(at.x);
    let best = best_of(at.x);
    let wanted = magnitude(best);
    var found = 0xffffffffu;
    for (var term = at.y; term < params.terms; term += params.parts) {
        let element = load_src(start + term_at(term));
        let own = magnitude(element);
        let are_zeros = (own.x | own.y | wanted.x | wanted.y) == 0u;
        if (is_same(element, best) || are_zeros) {
            found = term;
            break;
        }
    }
#ifdef NARROW
    atomicStore(&dst[thread], found);
#else
    dst[thread] = found;
#endif
}
