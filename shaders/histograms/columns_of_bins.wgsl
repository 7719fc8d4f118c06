// The columns of a histogram, for passes with parameters `columns` and `column_count`.

struct Column {
    edges: u32,  // the number of its first edge among those of all columns
    bins: u32,   // the number of its bins, one fewer than its edges
    limits: u32, // the number of its first limit among those of all columns
    step: u32,   // the largest power of two that is not above the number of its edges; it has 2 * step - 1 limits
}

// The words before the first limit. Word c is the number of limits of column c that no sample reaches: its last ones.
const FIRST_LIMIT: u32 = 8u;
