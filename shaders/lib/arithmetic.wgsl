// The helpers for sums and products of a dtype, all in integer code.
#ifdef INT64
#import wide
#elifdef HALF
#import strict_half
#elifdef FLOAT32
#import strict_float
#elifdef FLOAT64
#import strict_double
#endif
