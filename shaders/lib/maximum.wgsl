// The larger of an element and an update. A maximum with a NaN is NaN.

#ifdef ATOMIC
#ifdef FLOAT32
#import atomic_float

// As signed integers, numbers from +0 on are above the negative ones, which are in reverse.
alias Ordered = i32;

const WINNING: i32 = 0i;
const LAST_NUMBER: i32 = -0x800000i; // -∞
const NAN: i32 = 0x7fffffffi;
#else
// An element never loses again to an update that it wins against, so such an update needs no atomic operation.
#ifdef UNSIGNED
fn apply(i: u32, update: Element) {
    if (atomicLoad(&atomic_dst[i]) < update) {
        atomicMax(&atomic_dst[i], update);
    }
}
#else
// The table as signed words: the binding of `atomic_dst`, which this shader does not use.
@group(0) @binding(3) var<storage, read_write> signed_dst: array<atomic<i32>>;

fn apply(i: u32, update: Element) {
    if (atomicLoad(&signed_dst[i]) < i32(update)) {
        atomicMax(&signed_dst[i], i32(update));
    }
}
#endif
#endif
#else
// NaNs rank above all numbers.
const NAN_RANK: u32 = 0xffffffffu;

#ifdef KEYS
#import keys
#else
#import order

// Elements of equal rank have equal bits, unless both are NaN: then `before` remains.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(before, update)) {
        return update;
    }
    return before;
}
#endif
#endif
