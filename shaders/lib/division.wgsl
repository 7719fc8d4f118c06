// The helpers for quotients of a dtype, all in integer code.
#ifdef INT64
#import wide_divide
#endif
#ifdef HALF
#import strict_half
#import strict_divide
#endif
#ifdef FLOAT32
#import strict_divide
#endif
#ifdef FLOAT64
#import strict_double_divide
#endif
