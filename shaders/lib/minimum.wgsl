// The smaller of an element and an update. A minimum with a NaN is NaN.

#ifdef ATOMIC
#ifdef FLOAT32
#import atomic_float

// As unsigned integers, numbers up to -0 are above the others, which are in reverse.
alias Ordered = u32;

const WINNING: u32 = 0x80000000u;
const LAST_NUMBER: u32 = 0x7f800000u; // +∞
const NAN: u32 = 0xffffffffu;
#else
// An element never loses again to an update that it wins against, so such an update needs no atomic operation.
#ifdef UNSIGNED
fn apply(i: u32, update: Element) {
    if (atomicLoad(&atomic_dst[i]) > update) {
        atomicMin(&atomic_dst[i], update);
    }
}
#else
// The table as signed words: the binding of `atomic_dst`, which this shader does not use.
@group(0) @binding(3) var<storage, read_write> signed_dst: array<atomic<i32>>;

fn apply(i: u32, update: Element) {
    if (atomicLoad(&signed_dst[i]) > i32(update)) {
        atomicMin(&signed_dst[i], i32(update));
    }
}
#endif
#endif
#else
// NaNs rank below all numbers.
const NAN_RANK: u32 = 0u;

#ifdef KEYS
#import keys
#else
#import order

// Elements of equal rank have equal bits, unless both are NaN: then `before` remains.
fn combine(before: Element, update: Element) -> Element {
    if (is_below(update, before)) {
        return update;
    }
    return before;
}
#endif
#endif
