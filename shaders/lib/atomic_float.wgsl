// The maximum or minimum of a float32 element and an update, atomically. The operation says how bit patterns are read:
//
//   Ordered      an integer in which each number of the sign that wins is above all numbers of the other sign, and larger if it wins. The
//                order of the other sign is reversed: larger integers lose.
//   WINNING      the least pattern of the sign that wins, a zero
//   LAST_NUMBER  the infinity of the other sign; the patterns between it and WINNING are the NaNs of that sign
//   NAN          the greatest integer, a NaN
//
// So updates of the winning sign take a maximum of integers, and those of the other sign a minimum. A pass makes maxima only, or with
// LOSING_SIGN minima only: in SwiftShader, Chromium's software adapter, maxima of a word exclude each other, and so do minima, but a
// maximum and a minimum of the same word may lose one of the two.
//
// - The first pass makes the maxima. If the table has a NaN of the other sign, the first thread that changes the element saw it, and writes NAN.
// - The second pass makes the minima, but only of numbers of the other sign. After the first pass an element has such a number only if no
//   update won.
//
// The result does not depend on the order of the threads. No thread waits for another, and none tries again. An update that loses to what its
// thread sees ends there: that number was written or was there first, so the result is not worse. Most updates of a slot that many name end so.
@group(0) @binding(3) var<storage, read_write> ordered_dst: array<atomic<Ordered>>;

fn apply(i: u32, update: Element) {
    let bits = select(Ordered(update), NAN, (update & 0x7fffffffu) > 0x7f800000u);
#ifdef LOSING_SIGN
    if (bits < WINNING) {
        let seen = atomicLoad(&ordered_dst[i]);
        if (seen <= LAST_NUMBER && bits < seen) {
            atomicMin(&ordered_dst[i], bits);
        }
    }
#else
    if (bits >= WINNING) {
        let seen = atomicLoad(&ordered_dst[i]);
        if (seen < bits) {
            atomicMax(&ordered_dst[i], select(bits, NAN, seen > LAST_NUMBER && seen < WINNING));
        }
    }
#endif
}
