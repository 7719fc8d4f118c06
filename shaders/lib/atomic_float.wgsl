// The maximum or minimum of a float32 element and an update, atomically. The operation says how bit patterns are read:
//
//   Ordered      an integer in which each number of the sign that wins is above all numbers of the other sign, and larger if it wins. The
//                order of the other sign is reversed: larger integers lose.
//   WINNING      the least pattern of the sign that wins, a zero
//   LAST_NUMBER  the infinity of the other sign; the patterns between it and WINNING are the NaNs of that sign
//   NAN          the greatest integer, a NaN
//
// So an update of the winning sign takes a maximum of integers. An update of the other sign takes a minimum, which is right if the element has
// that sign too. If it had the winning sign, the minimum returns it, and a maximum puts it back. The result does not depend on the order:
// - No operation writes a NaN of the other sign. If the table has one there, the first operation on the element returns it, and its thread then
//   writes NAN.
// - Let P be the greatest integer from WINNING on that is ever written, or was there. Only a minimum makes P smaller. It returns P, and its
//   thread writes P again. Each update has one minimum at most, so that P is there at the end. If NAN is written, it is P.
// - If there is no P, all operations are minima of numbers.
// No thread waits for another, and none tries again.
//
// An update that loses to what its thread sees is left out: that number was written or was there first, so the result is not worse. A NaN of the
// other sign does not count as seen. Most updates of a slot that many name end so.
@group(0) @binding(3) var<storage, read_write> ordered_dst: array<atomic<Ordered>>;

fn apply(i: u32, update: Element) {
    let bits = select(Ordered(update), NAN, (update & 0x7fffffffu) > 0x7f800000u);
    let seen = atomicLoad(&ordered_dst[i]);
    var may_win = seen < bits;
    if (bits < WINNING) {
        may_win = seen < WINNING && bits < seen;
    }
    if (may_win) {
        var before: Ordered;
        if (bits >= WINNING) {
            before = atomicMax(&ordered_dst[i], bits);
        } else {
            before = atomicMin(&ordered_dst[i], bits);
        }
        if (before > LAST_NUMBER && (bits < WINNING || before < WINNING)) {
            atomicMax(&ordered_dst[i], select(before, NAN, before < WINNING));
        }
    }
}
