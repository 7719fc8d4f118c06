// The columns of a histogram, for passes with parameters `columns` and `column_count`.
#import Column

// The words before the first limit. Word c is the number of limits of column c that no sample reaches: its last ones.
const FIRST_LIMIT: u32 = 8u;
