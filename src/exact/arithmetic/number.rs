//! One exact sum, with the count of its terms.

use crate::exact::arithmetic::limbs::{MOST_LIMBS, MOST_WORDS, Unit, add, carry, merge, words};
use crate::exact::arithmetic::round::round;
use crate::{Bits, DType, Scalar};

/// What the terms of a sum have in common, as far as the result depends on it. Any infinity or NaN hides the finite terms, so that equal
/// sums have equal contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No term, or none but −0: the sum is −0.
    NegativeZero,
    /// Finite terms, not all of them −0.
    Finite,
    /// +∞ among them, and neither −∞ nor NaN.
    Infinity,
    /// −∞ among them, and neither +∞ nor NaN.
    NegativeInfinity,
    /// NaN among them, or infinities of both signs.
    Nan,
}

impl Kind {
    /// The kind of a sum of one term.
    const fn of(x: f64) -> Self {
        match (x.is_nan(), x.is_infinite(), x.is_sign_negative()) {
            (true, ..) => Self::Nan,
            (_, true, false) => Self::Infinity,
            (_, true, true) => Self::NegativeInfinity,
            _ if x == 0.0 && x.is_sign_negative() => Self::NegativeZero,
            _ => Self::Finite,
        }
    }

    /// The kind of the sum of two sums.
    const fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::NegativeZero, kind) | (kind, Self::NegativeZero) => kind,
            (Self::Finite, kind) | (kind, Self::Finite) => kind,
            (Self::Infinity, Self::Infinity) => Self::Infinity,
            (Self::NegativeInfinity, Self::NegativeInfinity) => Self::NegativeInfinity,
            (Self::Infinity | Self::NegativeInfinity | Self::Nan, _) => Self::Nan,
        }
    }

    /// The number that a sum of this kind is, whatever its finite terms are; `None` where these decide.
    const fn value(self) -> Option<f64> {
        match self {
            Self::NegativeZero => Some(-0.0),
            Self::Finite => None,
            Self::Infinity => Some(f64::INFINITY),
            Self::NegativeInfinity => Some(f64::NEG_INFINITY),
            Self::Nan => Some(f64::NAN),
        }
    }
}

/// The exact sum of numbers of one float dtype, and how many they are.
#[derive(Debug, Clone)]
pub struct ExactNumber {
    dtype: DType,
    pub(crate) kind: Kind,
    /// At most [`MOST_TERMS`](crate::exact::arithmetic::limbs::MOST_TERMS).
    pub(crate) count: u64,
    /// How many terms were added since the last carry.
    pending: u32,
    /// Only as many as the unit has are used.
    limbs: [i64; MOST_LIMBS],
}

/// How many terms are added before carries are done.
const MOST_PENDING: u32 = 1 << 30;

impl ExactNumber {
    /// The sum of no terms of a float dtype.
    pub fn new(dtype: DType) -> Self {
        Self { dtype, kind: Kind::NegativeZero, count: 0, pending: 0, limbs: [0; MOST_LIMBS] }
    }

    pub(crate) fn limbs(&mut self) -> &mut [i64] {
        self.limbs.get_mut(..Unit::of(self.dtype).limbs()).unwrap_or_default()
    }

    /// Adds a term, a number of the dtype, and counts it.
    pub fn add(&mut self, term: f64) {
        self.count += 1;
        self.add_part(term);
    }

    /// Adds a number of the dtype, or a part of a sum of such, without counting it.
    pub(crate) fn add_part(&mut self, part: f64) {
        if part == 0.0 || !part.is_finite() {
            self.kind = self.kind.with(Kind::of(part));
            return;
        }
        // Any infinity or NaN hides finite terms.
        if matches!(self.kind, Kind::NegativeZero | Kind::Finite) {
            self.kind = Kind::Finite;
            let unit = Unit::of(self.dtype);
            add(self.limbs(), unit, part);
            self.pending += 1;
            if self.pending == MOST_PENDING {
                self.carry();
            }
        }
    }

    /// Adds an accumulator, which stands for finite terms. Carries must have been done in it.
    pub(crate) fn add_limbs(&mut self, other: &[i64]) {
        self.carry();
        merge(self.limbs(), other);
        self.kind = self.kind.with(Kind::Finite);
    }

    /// Counts terms that were added as parts.
    pub(crate) fn add_count(&mut self, count: u64) {
        self.count += count;
    }

    /// Adds the terms of another sum of the same dtype.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        merge(self.limbs(), other.limbs());
        self.kind = self.kind.with(other.kind);
        self.count += other.count;
    }

    fn carry(&mut self) {
        carry(self.limbs());
        self.pending = 0;
    }

    /// The sum, rounded once, as bits of the dtype; +0 of no terms.
    pub fn sum(&self) -> Bits {
        if self.count == 0 { 0 } else { self.quotient(1) }
    }

    /// The sum divided by the count, rounded once, as bits of the dtype; NaN of no terms.
    pub fn mean(&self) -> Bits {
        if self.count == 0 { Scalar::Float(f64::NAN).cast(self.dtype) } else { self.quotient(self.count) }
    }

    /// The sum divided by a number, rounded once.
    fn quotient(&self, divisor: u64) -> Bits {
        if let Some(value) = self.kind.value() {
            return Scalar::Float(value).cast(self.dtype);
        }
        let mut all = self.clone();
        all.carry();
        round(all.limbs(), Unit::of(self.dtype), self.dtype, divisor)
    }

    /// How many terms there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The finite sum in words of two's complement; zeros where the kind says all.
    pub(crate) fn words(&self) -> [u32; MOST_WORDS] {
        if self.kind.value().is_some() {
            return [0; MOST_WORDS];
        }
        let mut all = self.clone();
        all.carry();
        words(all.limbs())
    }

    /// Takes out of a finite sum what float64 holds of it: the sum rounded to float64. `None` where nothing is left, or where the sum is
    /// beyond float64.
    pub(crate) fn take_part(&mut self) -> Option<f64> {
        self.carry();
        let unit = Unit::of(self.dtype);
        let part = f64::from_bits(round(self.clone().limbs(), unit, DType::Float64, 1));
        if part == 0.0 || !part.is_finite() {
            return None;
        }
        add(self.limbs(), unit, -part);
        self.carry();
        Some(part)
    }

    /// The accumulator, with carries done.
    pub(crate) fn carried(&mut self) -> &mut [i64] {
        self.carry();
        self.limbs()
    }
}
