// `product`: the product of two elements, with the activation applied.
#ifdef NATIVE
#import native_float
#else
#import combine
#endif
#ifdef ACT
#import activate
#endif

fn product(a: Element, b: Element) -> Element {
#ifdef NATIVE
    let result = native_multiply(a, b);
#else
    let result = combine(a, b);
#endif
#ifdef ACT
    return activate(result);
#else
    return result;
#endif
}
