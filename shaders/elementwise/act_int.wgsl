// Activations of integers. `combine` is the product, wrapped to the element's bits.
#import width
#import combine
#ifdef INT64
#import wide

#ifdef UNSIGNED
const LARGEST: Element = vec2<u32>(0xffffffffu, 0xffffffffu);
#else
const LARGEST: Element = vec2<u32>(0xffffffffu, 0x7fffffffu);
#endif

fn is_negative(x: Element) -> bool {
    return (x.y & 0x80000000u) != 0u;
}

fn negated(x: Element) -> Element {
    return wide_subtract(vec2<u32>(), x);
}

// 64 bits, low word first, limited to the dtype; and an element as a word, limited to the largest one.
fn limited(x: vec2<u32>) -> Element {
    return select(x, LARGEST, wide_less(LARGEST, x));
}

fn word_of(x: Element) -> u32 {
    return select(x.x, 0xffffffffu, x.y != 0u);
}
#else
#ifdef UNSIGNED
const LARGEST: Element = ELEMENT_MASK;
#else
const LARGEST: Element = ELEMENT_MASK >> 1u;
#endif

fn is_negative(x: Element) -> bool {
    return (x & (ELEMENT_MASK ^ (ELEMENT_MASK >> 1u))) != 0u;
}

fn negated(x: Element) -> Element {
    return (0u - x) & ELEMENT_MASK;
}

fn limited(x: vec2<u32>) -> Element {
    return select(min(x.x, LARGEST), LARGEST, x.y != 0u);
}

fn word_of(x: Element) -> u32 {
    return x;
}
#endif

// |x|, wrapped: the smallest integer is its own magnitude.
fn act_abs(x: Element) -> Element {
    return select(x, negated(x), is_negative(x));
}

fn act_square(x: Element) -> Element {
    return combine(x, x);
}

// e^x, cut towards zero, at most the dtype's largest integer; below 1 for negative x. The powers are those of binary64, with the bits of the
// CPU's `libm` (not always the nearest). e^45 has more than 64 bits.
fn act_exp(x: Element) -> Element {
    var powers = array<vec2<u32>, 45>(
        vec2<u32>(1u, 0u), vec2<u32>(2u, 0u), vec2<u32>(7u, 0u), vec2<u32>(20u, 0u), vec2<u32>(54u, 0u),
        vec2<u32>(148u, 0u), vec2<u32>(403u, 0u), vec2<u32>(1096u, 0u), vec2<u32>(2980u, 0u),
        vec2<u32>(8103u, 0u), vec2<u32>(22026u, 0u), vec2<u32>(59874u, 0u), vec2<u32>(162754u, 0u),
        vec2<u32>(442413u, 0u), vec2<u32>(1202604u, 0u), vec2<u32>(3269017u, 0u), vec2<u32>(8886110u, 0u),
        vec2<u32>(24154952u, 0u), vec2<u32>(65659969u, 0u), vec2<u32>(178482300u, 0u),
        vec2<u32>(485165195u, 0u), vec2<u32>(1318815734u, 0u), vec2<u32>(3584912846u, 0u),
        vec2<u32>(1154868854u, 2u), vec2<u32>(719318353u, 6u), vec2<u32>(3285422601u, 16u),
        vec2<u32>(2456081108u, 45u), vec2<u32>(3767263193u, 123u), vec2<u32>(3148052835u, 336u),
        vec2<u32>(1439221304u, 915u), vec2<u32>(595949076u, 2488u), vec2<u32>(1985842399u, 6763u),
        vec2<u32>(4281413016u, 18384u), vec2<u32>(2589168316u, 49975u), vec2<u32>(3320267742u, 135847u),
        vec2<u32>(2288984918u, 369272u), vec2<u32>(3504932539u, 1003786u), vec2<u32>(1983119412u, 2728575u),
        vec2<u32>(408891804u, 7417037u), vec2<u32>(673862032u, 20161597u), vec2<u32>(791567680u, 54804903u),
        vec2<u32>(1874080000u, 148975172u), vec2<u32>(538007808u, 404956504u),
        vec2<u32>(2061616128u, 1100785906u), vec2<u32>(2613153792u, 2992246326u),
    );
#ifdef UNSIGNED
#else
    if (is_negative(x)) {
        return Element();
    }
#endif
    if (word_of(x) > 44u) {
        return LARGEST;
    }
    return limited(powers[word_of(x)]);
}
