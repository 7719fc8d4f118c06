// The helpers for sums and products of a dtype, all in integer code.
#ifdef INT64
#import wide
#endif
#ifdef HALF
#import strict_half
#endif
#ifdef FLOAT32
#import strict_float
#endif
#ifdef FLOAT64
#import strict_double
#endif
