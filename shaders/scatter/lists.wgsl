// What the passes over the lists of link.wgsl share: which lists are left to a later pass. `longer` has two counts and the rows of two
// kinds of lists: those with more than SHORT entries, and of these those with more than MEDIUM.
#import frame
#import IndexFormat

// As in src/scatter/gpu/strategy.rs.
const SHORT: u32 = 32u;
const MEDIUM: u32 = 1024u;

@group(0) @binding(5) var<storage, read_write> longer: array<atomic<u32>>;

// Where the rows of a kind begin: 0 for more than SHORT entries, 1 for more than MEDIUM. So long lists are few.
fn rows_of_kind(kind: u32) -> u32 {
    return 2u + kind * (params.entry_count / (SHORT + 1u));
}

fn note_longer(kind: u32, row: u32) {
    let at = atomicAdd(&longer[kind], 1u);
    atomicStore(&longer[rows_of_kind(kind) + at], row);
}

// The row of list number `at` of a kind, SKIPPED if the kind has fewer.
fn longer_row(kind: u32, at: u32) -> u32 {
    if (at >= atomicLoad(&longer[kind])) {
        return SKIPPED;
    }
    return atomicLoad(&longer[rows_of_kind(kind) + at]);
}
