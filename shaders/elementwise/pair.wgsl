// `paired`: the result of an operation on two elements, with the activation applied.
#ifdef NATIVE
#import native_float
#elifdef ALONE
#else
#import combine
#endif
#ifdef FLOOR
#import floor_quotient
#endif
#ifdef ACT
#import activate
#endif

// The operation on an element of x and one of y.
fn operated(a: Element, b: Element) -> Element {
#ifdef ALONE
    return a;
#elifdef NATIVE
#ifdef X_IS_SECOND
    return native_#{REDUCE}(b, a);
#else
    return native_#{REDUCE}(a, b);
#endif
#elifdef FLOOR
#ifdef X_IS_SECOND
    return floor_quotient(combine(b, a), b, a);
#else
    return floor_quotient(combine(a, b), a, b);
#endif
#elifdef X_IS_SECOND
    return combine(b, a);
#else
    return combine(a, b);
#endif
}

fn paired(a: Element, b: Element) -> Element {
#ifdef ACT
    return activate(operated(a, b));
#else
    return operated(a, b);
#endif
}
