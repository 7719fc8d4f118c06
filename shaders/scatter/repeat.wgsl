// One scalar, applied many times: `repeated(before, count)` combines `before` with `scalar()` `count` times, at least once.
#import combine
#import update

#ifdef ONCE
// A second time changes nothing.
fn repeated(before: Element, count: u32) -> Element {
    return combine(before, scalar());
}
#endif

#ifdef DOUBLING
// The steps may be grouped in any way. As in exponentiation by squaring, `power` is the scalar combined with itself 1, 2, 4, … times,
// and each bit of the count applies one power.
fn repeated(before: Element, count: u32) -> Element {
    var value = before;
    var power = scalar();
    for (var left = count; left != 0u; left >>= 1u) {
        if ((left & 1u) == 1u) {
            value = combine(value, power);
        }
        power = combine(power, power);
    }
    return value;
}
#endif

#ifdef IN_ORDER
#import equal
#ifdef DOUBLE_SUM
#import multiple
#endif

// Step by step, two steps at a time, until two steps return to the same value. From then on the value is constant or alternates between
// two values, so only an odd step remains.
fn repeated(before: Element, count: u32) -> Element {
#ifdef DOUBLE_SUM
    let whole = multiple(before, scalar(), count);
    if (whole.is_exact) {
        return whole.value;
    }
#endif
    var value = before;
    var left = count;
    while (left > 1u) {
        let twice = combine(combine(value, scalar()), scalar());
        if (is_equal(twice, value)) {
            break;
        }
        value = twice;
        left -= 2u;
    }
    if ((left & 1u) == 1u) {
        value = combine(value, scalar());
    }
    return value;
}
#endif

#ifdef FLOAT_SUM
#import multiple

// Adds a float with the same roundings as a loop of additions, in a few rounds per power of two that the sum passes.
//
// Floats of one sign and exponent are multiples of one unit u, and their bits count units. While sums stay among them, each sum is the
// exact value rounded to a multiple of u, nearest or even. If the scalar is not halfway between two multiples, every step is the scalar
// rounded to u. If it is halfway, every sum is an even multiple, and the step from one even multiple to the next is always the same. So
// once a step starts at a sum that was rounded to u, the next steps are equal. This holds while they end strictly above the smallest
// float of this exponent (just below it the unit is u / 2) and not above the largest.

#ifdef FLOAT32
const FRACTION_BITS: u32 = 23u;
#else
#ifdef FLOAT16
const FRACTION_BITS: u32 = 10u;
#else
const FRACTION_BITS: u32 = 7u;
#endif
#endif
const FRACTION: u32 = (1u << FRACTION_BITS) - 1u;

// `before` with scalar() added `count` times. If additions round, each round adds twice to find the size of a step, then takes as many equal steps at once
// as are certain. Steps are differences of bits, which count units of u.
fn repeated(before: Element, count: u32) -> Element {
    let whole = multiple(before, scalar(), count);
    if (whole.is_exact) {
        return whole.value;
    }
    var value = before;
    var left = count;
    while (left > 0u) {
        let sign_and_exponent = value >> FRACTION_BITS;
        let one = combine(value, scalar());
        left -= 1u;
        if (one == value || left == 0u) {
            return one; // the sum does not change any more, or this was the last step
        }
        value = combine(one, scalar());
        left -= 1u;
        if (one == value) {
            return value;
        }
        if ((one >> FRACTION_BITS) != sign_and_exponent || (value >> FRACTION_BITS) != sign_and_exponent) {
            continue;
        }
        // Bits grow with the magnitude, whatever the sign is.
        if (value > one) {
            let steps = min(((value | FRACTION) - value) / (value - one), left);
            value += steps * (value - one);
            left -= steps;
        } else {
            let steps = min((max(value & FRACTION, 1u) - 1u) / (one - value), left);
            value -= steps * (one - value);
            left -= steps;
        }
    }
    return value;
}
#endif
