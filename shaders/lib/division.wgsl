// The helpers for quotients of a dtype, all in integer code.
#ifdef INT64
#import wide_divide
#elifdef HALF
#import strict_half
#import strict_divide
#elifdef FLOAT32
#import strict_divide
#elifdef FLOAT64
#import strict_double_divide
#endif
