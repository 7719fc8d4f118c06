// The larger of an element and an update, or with MINIMUM the smaller. With a NaN it is NaN.

#ifdef ATOMIC
#ifdef FLOAT32
#import atomic_float

#ifdef MINIMUM
// As unsigned integers, numbers up to -0 are above the others, which are in reverse.
alias Ordered = u32;

const WINNING: u32 = 0x80000000u;
const LAST_NUMBER: u32 = 0x7f800000u; // +∞
const NAN: u32 = 0xffffffffu;
#else
// As signed integers, numbers from +0 on are above the negative ones, which are in reverse.
alias Ordered = i32;

const WINNING: i32 = 0i;
const LAST_NUMBER: i32 = -0x800000i; // -∞
const NAN: i32 = 0x7fffffffi;
#endif
#else
#ifdef UNSIGNED
alias Whole = u32;
#else
alias Whole = i32;
#endif

// The table: the binding of `atomic_dst`, which this shader does not use.
@group(0) @binding(3) var<storage, read_write> whole_dst: array<atomic<Whole>>;

// An element never loses again to an update that it wins against, so such an update needs no atomic operation.
fn apply(i: u32, update: Element) {
#ifdef MINIMUM
    if (atomicLoad(&whole_dst[i]) > Whole(update)) {
        atomicMin(&whole_dst[i], Whole(update));
    }
#else
    if (atomicLoad(&whole_dst[i]) < Whole(update)) {
        atomicMax(&whole_dst[i], Whole(update));
    }
#endif
}
#endif
#else
// The rank of NaN loses to none.
#ifdef MINIMUM
const NAN_RANK: u32 = 0u;
#else
const NAN_RANK: u32 = 0xffffffffu;
#endif

#ifdef KEYS
#import keys
#else
#import order

// Elements of equal rank have equal bits, unless both are NaN: then `before` remains.
fn combine(before: Element, update: Element) -> Element {
#ifdef MINIMUM
    let wins = is_below(update, before);
#else
    let wins = is_below(before, update);
#endif
    if (wins) {
        return update;
    }
    return before;
}
#endif
#endif
