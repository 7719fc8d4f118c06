//! Accumulators: signed limbs of 64 bits whose weights are 32 bits apart, the least first. So 2^30 terms can be added before a carry is due.

use crate::DType;

/// The weight of the lowest bit of an accumulator. Every finite number of the dtypes that share a unit is a multiple of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// 2^−149, the smallest float32: for float16, bfloat16 and float32.
    Single,
    /// 2^−1074, the smallest float64.
    Double,
}

impl Unit {
    /// The unit for terms of a float dtype.
    pub(crate) const fn of(dtype: DType) -> Self {
        if matches!(dtype, DType::Float64) { Self::Double } else { Self::Single }
    }

    /// The exponent of the power of two that one unit is.
    pub(crate) const fn exponent(self) -> i32 {
        match self {
            Self::Single => -149,
            Self::Double => -1074,
        }
    }

    /// The limbs of an accumulator. Sums of [`MOST_TERMS`] terms fit: they have at most 277 + 42 and 2098 + 42 bits.
    pub(crate) const fn limbs(self) -> usize {
        match self {
            Self::Single => 10,
            Self::Double => MOST_LIMBS,
        }
    }
}

/// The most terms of one sum.
pub(crate) const MOST_TERMS: u64 = 1 << 42;

/// The limbs of the longest accumulator.
pub(crate) const MOST_LIMBS: usize = 67;

/// The words of the longest accumulator.
pub(crate) const MOST_WORDS: usize = MOST_LIMBS + 1;

/// Adds a finite number that is a multiple of the unit: a term, or a sum of at most [`MOST_TERMS`] of them.
#[inline]
pub(crate) fn add(limbs: &mut [i64], unit: Unit, x: f64) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let hidden = u64::from(exponent != 0) << 52;
    let significand = bits & ((1 << 52) - 1) | hidden;
    // How many bits the last bit of the significand lies above the lowest bit of the accumulator. Where it lies below, the bits there are 0.
    let shift = exponent.max(1) - 1075 - unit.exponent();
    let significand = significand.checked_shr((-shift).max(0) as u32).unwrap_or(0);
    let shift = shift.max(0) as u32;
    let above = significand >> (32 - shift % 32);
    let parts = [significand << (shift % 32) & 0xffff_ffff, above & 0xffff_ffff, above >> 32];
    // 0, or −1 for a negative number: `(part ^ sign) - sign` is the part or its negative.
    let sign = (bits as i64) >> 63;
    let limbs = limbs.get_mut(shift as usize / 32..).unwrap_or_default();
    if let Some([low, middle, high]) = limbs.first_chunk_mut() {
        *low += (parts[0] as i64 ^ sign) - sign;
        *middle += (parts[1] as i64 ^ sign) - sign;
        *high += (parts[2] as i64 ^ sign) - sign;
    } else {
        limbs.iter_mut().zip(parts).for_each(|(limb, part)| *limb += (part as i64 ^ sign) - sign);
    }
}

/// [`add`] of a finite float32 to an accumulator of [`Unit::Single`].
#[inline(always)]
pub(crate) fn add_single(limbs: &mut [i64], x: f32) {
    let bits = x.to_bits();
    let exponent = bits >> 23 & 0xff;
    let hidden = u32::from(exponent != 0);
    let significand = u64::from(bits & 0x7f_ffff | hidden << 23);
    let shift = exponent - hidden;
    let parts = significand << (shift % 32);
    let sign = i64::from(bits as i32 >> 31);
    if let Some([low, high]) = limbs.get_mut(shift as usize / 32..).and_then(<[_]>::first_chunk_mut) {
        *low += ((parts & 0xffff_ffff) as i64 ^ sign) - sign;
        *high += ((parts >> 32) as i64 ^ sign) - sign;
    }
}

/// Adds another accumulator of the same unit. Carries must have been done in both.
pub(crate) fn merge(limbs: &mut [i64], other: &[i64]) {
    limbs.iter_mut().zip(other).for_each(|(limb, other)| *limb += other);
    carry(limbs);
}

/// Moves what a limb has beyond 32 bits to the next one. All limbs but the last are then from 0 to 2^32 − 1; the sign is that of the last.
pub(crate) fn carry(limbs: &mut [i64]) {
    carry_signed(limbs, 0);
}

/// [`carry`], of the negative accumulator where the sign is −1 and not 0.
#[inline(always)]
pub(crate) fn carry_signed(limbs: &mut [i64], sign: i64) {
    let Some((last, others)) = limbs.split_last_mut() else { return };
    let mut carry = 0;
    for limb in others {
        let sum = (*limb ^ sign) - sign + carry;
        *limb = sum & 0xffff_ffff;
        carry = sum >> 32;
    }
    *last = (*last ^ sign) - sign + carry;
}

/// The accumulator as words of two's complement, the least first; carries must have been done. Words after those extend the sign.
pub(crate) fn words(limbs: &[i64]) -> [u32; MOST_WORDS] {
    let last = limbs.last().copied().unwrap_or_default();
    let mut words = [(last >> 63) as u32; MOST_WORDS];
    for (word, limb) in words.iter_mut().zip(limbs) {
        *word = *limb as u32;
    }
    if let Some(word) = words.get_mut(limbs.len()) {
        *word = (last >> 32) as u32;
    }
    words
}
