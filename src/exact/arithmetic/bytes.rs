//! Exact sums as bytes, the same for equal sums. `docs/EXACT_SUM.md` specifies them for other programs.

use crate::exact::arithmetic::limbs::{MOST_TERMS, MOST_WORDS, Unit};
use crate::exact::arithmetic::number::{ExactNumber, Kind};
use crate::host::out_of_memory;
use crate::{DType, Error, ErrorClass, ErrorCode, MAX_RANK, Result, Shape, reserved};

/// What the bytes begin with, the format and its version, as a number of five bytes.
const MAGIC: u64 = u64::from_le_bytes(*b"XSUM\x01\0\0\0");

/// The dtypes, each at the slot of its number.
const DTYPES: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

/// The kinds, each at the slot of its number.
const KINDS: [Kind; 5] =
    [Kind::NegativeZero, Kind::Finite, Kind::Infinity, Kind::NegativeInfinity, Kind::Nan];

/// The words that the sums of all slots need, as a range of word numbers.
struct Window {
    first: usize,
    end: usize,
}

impl Window {
    /// The window of no sums.
    const NONE: Self = Self { first: MOST_WORDS, end: 0 };

    /// Makes room for a sum: the lowest word that is not 0, and all up to the one that holds the sign.
    fn include(&mut self, words: &[u32; MOST_WORDS]) {
        let Some(lowest) = words.iter().position(|&word| word != 0) else { return };
        let sign = words.last().map_or(0, |&word| (word as i32 >> 31) as u32);
        // The highest word that is not all sign, and one more where its highest bit is not the sign.
        let end = words.iter().rposition(|&word| word != sign).map_or(0, |at| {
            let has_sign = words.get(at).is_some_and(|&word| (word ^ sign) >> 31 == 0);
            at + 1 + usize::from(!has_sign)
        });
        self.first = self.first.min(lowest);
        self.end = self.end.max(end).max(lowest + 1);
    }

    /// The number of the first word and how many there are; 0 and 0 where every sum is 0.
    fn bounds(&self) -> (usize, usize) {
        if self.end == 0 { (0, 0) } else { (self.first, self.end - self.first) }
    }
}

/// The bytes of the sums of a float dtype with that shape. `number` gives the sum of each slot.
///
/// # Errors
/// `RuntimeError` when memory is exhausted.
pub fn write(
    op: &'static str,
    shape: &Shape,
    dtype: DType,
    number: impl Fn(usize) -> ExactNumber,
) -> Result<Vec<u8>> {
    let slots = shape.size();
    let mut window = Window::NONE;
    (0..slots).for_each(|slot| window.include(&number(slot).words()));
    let (first, count) = window.bounds();
    let len = slots.checked_mul(9 + 4 * count).and_then(|len| len.checked_add(16 + 8 * shape.rank()));
    let mut bytes = reserved(op, len.ok_or_else(|| out_of_memory(op, usize::MAX))?)?;
    put(&mut bytes, MAGIC, 5);
    put(&mut bytes, DTYPES.iter().position(|&other| other == dtype).unwrap_or_default() as u64, 1);
    put(&mut bytes, shape.rank() as u64, 2);
    shape.dims().iter().for_each(|&size| put(&mut bytes, size as u64, 8));
    [first, count].into_iter().for_each(|number| put(&mut bytes, number as u64, 4));
    (0..slots).for_each(|slot| put(&mut bytes, number(slot).count, 8));
    for slot in 0..slots {
        let words = number(slot).words().map(u32::to_le);
        bytes.extend_from_slice(bytemuck::cast_slice(words.get(first..first + count).unwrap_or_default()));
    }
    let code = |kind| KINDS.iter().position(|&other| other == kind).unwrap_or_default() as u64;
    (0..slots).for_each(|slot| put(&mut bytes, code(number(slot).kind), 1));
    Ok(bytes)
}

/// Appends a number of `len` bytes, the least first.
#[inline(never)]
fn put(bytes: &mut Vec<u8>, number: u64, len: usize) {
    bytes.extend_from_slice(number.to_le_bytes().get(..len).unwrap_or_default());
}

/// Bytes that were checked, in their parts.
pub struct Parts<'a> {
    /// The shape of the sums.
    pub shape: Shape,
    /// The dtype of their terms.
    pub dtype: DType,
    /// The number of the first word, and how many words each slot has.
    window: (usize, usize),
    counts: &'a [[u8; 8]],
    /// The words of each slot.
    words: &'a [[u8; 4]],
    kinds: &'a [u8],
}

/// Takes a number of `len` bytes off, the least first.
#[inline(never)]
fn take(bytes: &mut &[u8], len: usize) -> Option<u64> {
    let (head, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(head.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

impl<'a> Parts<'a> {
    /// Checks bytes: that they are complete, that nothing follows them, and that they are those that [`write`] makes of these sums.
    ///
    /// # Errors
    /// `ValueError` for all others.
    pub fn read(op: &'static str, bytes: &'a [u8]) -> Result<Self> {
        let refused = |what: &str| {
            let text = format!("these bytes are no exact sum: {what}");
            Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, op, text).argument("bytes")
        };
        let parts = Self::split(op, bytes).ok_or_else(|| refused("header, shape and length disagree"))?;
        let mut window = Window::NONE;
        for slot in 0..parts.kinds.len() {
            if !parts.is_possible(slot) {
                return Err(refused(&format!("place {slot} has words, count and kind that no sum has")));
            }
            window.include(&parts.words_of(slot));
        }
        if window.bounds() != parts.window {
            return Err(refused("they have other words than those that the sums need"));
        }
        Ok(parts)
    }

    /// The parts of bytes of the right length; `None` for others.
    fn split(op: &'static str, bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        if take(&mut rest, 5)? != MAGIC {
            return None;
        }
        let mut next = |len| usize::try_from(take(&mut rest, len)?).ok();
        let dtype = *DTYPES.get(next(1)?)?;
        let rank = next(2)?;
        // Ranks that no shape has end here.
        let mut dims = [0; MAX_RANK];
        let dims = dims.get_mut(..rank)?;
        for size in &mut *dims {
            *size = next(8)?;
        }
        let shape = Shape::new(op, dims).ok()?;
        let (first, count) = (next(4)?, next(4)?);
        let most = Unit::of(dtype).limbs();
        let slots = shape.size();
        let is_whole =
            first <= most && count <= most - first && slots.checked_mul(9 + 4 * count)? == rest.len();
        let (counts, rest) = rest.split_at_checked(8 * slots).filter(|_| is_whole)?;
        let (words, kinds) = rest.split_at_checked(rest.len() - slots)?;
        let (counts, words) = (counts.as_chunks().0, words.as_chunks().0);
        Some(Self { shape, dtype, window: (first, count), counts, words, kinds })
    }

    /// The words of a slot, from word 0 on, with the sign extended.
    fn words_of(&self, slot: usize) -> [u32; MOST_WORDS] {
        let (first, count) = self.window;
        let own = self.words.get(slot * count..(slot + 1) * count).unwrap_or_default();
        let sign = own.last().map_or(0, |word| (i32::from_le_bytes(*word) >> 31) as u32);
        let mut words = [sign; MOST_WORDS];
        words.iter_mut().take(first).for_each(|word| *word = 0);
        words.iter_mut().skip(first).zip(own).for_each(|(word, own)| *word = u32::from_le_bytes(*own));
        words
    }

    /// Whether some terms of the dtype have this sum, as far as size and lowest bit tell.
    fn is_possible(&self, slot: usize) -> bool {
        let number = self.number(slot);
        let Some(kind) = self.kinds.get(slot).and_then(|&code| KINDS.get(usize::from(code))) else {
            return false;
        };
        let words = self.words_of(slot);
        let is_zero = words.iter().all(|&word| word == 0);
        if number.count > MOST_TERMS || (*kind != Kind::NegativeZero && number.count == 0) {
            return false;
        }
        if *kind != Kind::Finite || is_zero {
            return is_zero;
        }
        let (least, most) = match self.dtype {
            DType::Float16 => (125, 165),
            DType::Bfloat16 => (16, 277),
            DType::Float64 => (0, 2098),
            _ => (0, 277),
        };
        // The bits that differ from the sign, and the zeros at the low end.
        let sign = words.last().copied().unwrap_or_default();
        let top = words.iter().rposition(|&word| word != sign).unwrap_or_default();
        let bits = words.get(top).map_or(0, |&word| 32 * top as u32 + 32 - (word ^ sign).leading_zeros());
        let low = words.iter().position(|&word| word != 0).unwrap_or_default();
        let zeros = words.get(low).map_or(0, |&word| 32 * low as u32 + word.trailing_zeros());
        zeros >= least && bits <= most + 64 - number.count.leading_zeros()
    }

    /// The sum of a slot.
    pub fn number(&self, slot: usize) -> ExactNumber {
        let mut number = ExactNumber::new(self.dtype);
        number.count = self.counts.get(slot).map_or(0, |count| u64::from_le_bytes(*count));
        let kind = self.kinds.get(slot).and_then(|&code| KINDS.get(usize::from(code)));
        number.kind = kind.copied().unwrap_or(Kind::Nan);
        let words = self.words_of(slot);
        let limbs = number.limbs();
        let len = limbs.len();
        limbs.iter_mut().zip(words).for_each(|(limb, word)| *limb = word.into());
        if let (Some(last), Some(&sign)) = (limbs.last_mut(), words.get(len)) {
            *last |= i64::from(sign as i32) << 32;
        }
        number
    }
}
