//! A stable sort of pairs of a key and a position: by insertion if they are few, else digit by digit, the lowest first. Digits in which all
//! keys agree are left out. Keys that ascend or descend already are not sorted by digits.

/// Rows of at most this many pairs are sorted by insertion.
const FEW: usize = 32;
/// The most bits of a digit. A digit has a counter for each value, on the stack.
const MOST_BITS: u32 = 11;
/// The bits of a digit of a row that is shorter than this: more counters would take longer than the row.
const SHORT: usize = 4096;
const SHORT_BITS: u32 = 8;

pub(crate) trait Pair: Copy {
    fn new(key: u64, position: u32) -> Self;
    fn key(self) -> u64;
    fn position(self) -> u32;
}

/// A key of up to 32 bits in the upper half, the position in the lower one.
impl Pair for u64 {
    #[inline(always)]
    fn new(key: u64, position: u32) -> Self {
        key << 32 | Self::from(position)
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self >> 32
    }

    #[inline(always)]
    fn position(self) -> u32 {
        self as u32
    }
}

/// A key of up to 64 bits, and the position.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub(crate) struct Wide(u64, u64);

impl Pair for Wide {
    #[inline(always)]
    fn new(key: u64, position: u32) -> Self {
        Self(key, position.into())
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn position(self) -> u32 {
        self.1 as u32
    }
}

/// Sorts `len` pairs by their keys, stably, and returns where they are then: in `from` or in `to`. `differing` has the bits in which keys
/// differ.
///
/// # Safety
/// Both must be aligned memory of `len` pairs that nothing else uses, and those of `from` must be written.
#[inline(never)]
pub(crate) unsafe fn sort<P: Pair>(mut from: *mut P, mut to: *mut P, len: usize, differing: u64) -> *mut P {
    if differing == 0 {
        return from;
    }
    if len <= FEW {
        // SAFETY: as the caller promises.
        unsafe { insert(from, len) };
        return from;
    }
    // SAFETY: as the caller promises.
    if unsafe { ascend(from, len) } {
        return from;
    }
    let most = if len < SHORT { SHORT_BITS } else { MOST_BITS };
    let mut bit = differing.trailing_zeros();
    let end = u64::BITS - differing.leading_zeros();
    while bit < end {
        let rest = differing >> bit;
        if rest & 1 == 0 {
            bit += rest.trailing_zeros();
            continue;
        }
        let bits = width_of_digit(end - bit, most);
        // SAFETY: as the caller promises.
        unsafe { by_digit(from, to, len, bit, bits) };
        (from, to) = (to, from);
        bit += bits;
    }
    from
}

/// Turns pairs with descending keys round. Returns whether keys ascend then. Stops at the first two keys that break the order.
///
/// # Safety
/// `pairs` must be memory of `len` written pairs that nothing else uses.
#[inline(always)]
unsafe fn ascend<P: Pair>(pairs: *mut P, len: usize) -> bool {
    // SAFETY: all places are below `len`.
    unsafe {
        let key = |at: usize| (*pairs.add(at)).key();
        if (1..len).all(|at| key(at - 1) <= key(at)) {
            return true;
        }
        if !(1..len).all(|at| key(at - 1) >= key(at)) {
            return false;
        }
        turn(pairs, len);
        // Equal keys keep their order, so they are turned once more.
        let mut begin = 0;
        for at in 1..len {
            if key(at) != key(begin) {
                turn(pairs.add(begin), at - begin);
                begin = at;
            }
        }
        turn(pairs.add(begin), len - begin);
        true
    }
}

/// Reverses the order of pairs.
///
/// # Safety
/// As for [`ascend`].
#[inline(never)]
unsafe fn turn<P: Pair>(pairs: *mut P, len: usize) {
    for at in 0..len / 2 {
        // SAFETY: both places are below `len`.
        unsafe { std::ptr::swap(pairs.add(at), pairs.add(len - 1 - at)) };
    }
}

/// The bits of the next digit, of keys with so many bits left: digits have nearly equal widths. 32 bits are three of 11, not two of 11 and
/// one of 10.
#[inline(always)]
fn width_of_digit(left: u32, most: u32) -> u32 {
    // Loops in the place of divisions: for all that the compiler knows these could be by 0, and kernels cannot panic.
    let mut digits = 1;
    while digits * most < left {
        digits += 1;
    }
    let mut width = 1;
    while width * digits < left {
        width += 1;
    }
    width
}

/// # Safety
/// `pairs` must be memory of `len` written pairs that nothing else uses.
#[inline(always)]
unsafe fn insert<P: Pair>(pairs: *mut P, len: usize) {
    for end in 1..len {
        // SAFETY: all places are below `len`.
        unsafe {
            let pair = *pairs.add(end);
            let mut at = end;
            while at > 0 && (*pairs.add(at - 1)).key() > pair.key() {
                *pairs.add(at) = *pairs.add(at - 1);
                at -= 1;
            }
            *pairs.add(at) = pair;
        }
    }
}

/// Moves pairs to the places of one digit: the `bits` bits of their keys from `bit` on.
///
/// # Safety
/// As for [`sort`], and `bits` is at most [`MOST_BITS`].
#[inline(always)]
unsafe fn by_digit<P: Pair>(from: *const P, to: *mut P, len: usize, bit: u32, bits: u32) {
    let mut places = [0u32; 1 << MOST_BITS];
    let mask = (1usize << bits) - 1;
    let digit = |pair: P| (pair.key() >> bit) as usize & mask;
    let places = places.as_mut_ptr();
    // SAFETY: a digit is at most `mask`, which has a counter. Counters end at the place after the last pair of their digit, and there are
    // as many places as pairs.
    unsafe {
        for at in 0..len {
            *places.add(digit(*from.add(at))) += 1;
        }
        let mut place = 0;
        for value in 0..=mask {
            let count = *places.add(value);
            *places.add(value) = place;
            place += count;
        }
        for at in 0..len {
            let pair = *from.add(at);
            let place = places.add(digit(pair));
            *to.add(*place as usize) = pair;
            *place += 1;
        }
    }
}
