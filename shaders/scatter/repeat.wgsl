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

#ifdef FLOAT_SUM
#import equal
#import wide

// Adds a float with the same roundings as a loop of additions, in a few rounds per power of two that the sum passes.
//
// Floats of one sign and exponent are multiples of one unit u, and their bits count units. While sums stay among them, each sum is the
// exact value rounded to a multiple of u, nearest or even. If the scalar is not halfway between two multiples, every step is the scalar
// rounded to u. If it is halfway, every sum is an even multiple, and the step from one even multiple to the next is always the same. So
// once a step starts at a sum that was rounded to u, the next steps are equal. This holds while they end strictly above the smallest
// float of this exponent (just below it the unit is u / 2) and not above the largest.

// The bits of a float as 64 bits, low word first, and back; and the bits of its fraction.
#ifdef FLOAT64
const FRACTION: vec2<u32> = vec2<u32>(0xffffffffu, 0xfffffu);

fn bits_of(x: Element) -> vec2<u32> {
    return x;
}

fn float_of(bits: vec2<u32>) -> Element {
    return bits;
}
#else
#ifdef FLOAT32
const FRACTION: vec2<u32> = vec2<u32>(0x7fffffu, 0u);
#elifdef FLOAT16
const FRACTION: vec2<u32> = vec2<u32>(0x3ffu, 0u);
#else
const FRACTION: vec2<u32> = vec2<u32>(0x7fu, 0u);
#endif

fn bits_of(x: Element) -> vec2<u32> {
    return vec2<u32>(x, 0u);
}

fn float_of(bits: vec2<u32>) -> Element {
    return bits.x;
}
#endif

// If additions round, each round adds twice to find the size of a step, then takes as many equal steps at once as are certain.
fn repeated(before: Element, count: u32) -> Element {
    var value = before;
    var left = count;
    while (left > 0u) {
        let start = bits_of(value);
        let one = combine(value, scalar());
        left -= 1u;
        if (left == 0u || is_equal(one, value)) {
            return one; // this was the last step, or the sum does not change any more
        }
        value = combine(one, scalar());
        left -= 1u;
        if (is_equal(one, value)) {
            return value;
        }
        let first = bits_of(one);
        var sum = bits_of(value);
        if (any((((first ^ start) | (sum ^ start)) & ~FRACTION) != vec2<u32>())) {
            continue; // another sign or exponent
        }
        // Bits grow with the magnitude, whatever the sign is.
        let grows = wide_less(first, sum);
        let step = select(wide_subtract(first, sum), wide_subtract(sum, first), grows);
        let fraction = sum & FRACTION;
        let above_least = wide_subtract(fraction, vec2<u32>(select(0u, 1u, any(fraction != vec2<u32>())), 0u));
        var room = select(above_least, fraction ^ FRACTION, grows);
        // 2^31 steps if they fit, then 2^30, …
        for (var k = 32u; k > 0u;) {
            k -= 1u;
            let distance = wide_shift_left(step, k);
            if ((1u << k) <= left && k < wide_leading_zeros(step) && !wide_less(room, distance)) {
                room = wide_subtract(room, distance);
                sum = select(wide_subtract(sum, distance), wide_add(sum, distance), grows);
                left -= 1u << k;
            }
        }
        value = float_of(sum);
    }
    return value;
}
#endif
