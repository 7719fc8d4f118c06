//! How an update is combined with the value that is already there.

use crate::plan::{Op, dtype_mismatch, value_error, wrong_value};
use crate::words::words;
use crate::{Bits, DType, Error, ErrorClass, ErrorCode, Result, Scalar};

words! {
    /// What a scatter does with each update. Updates are applied in row-major order of the index, one after the other, in the
    /// tensor's own dtype.
    Reduce,
    /// How a gradient goes to the terms.
    pub(crate) gradient: Gradient;
    /// The update takes the place of the value; of several, the last one stays.
    Replace = "replace" => Gradient::ToLast;
    /// The update is added. Integers wrap; bool is OR.
    Add = "add" => Gradient::ToAll;
    /// The value is multiplied by the update. Integers wrap; bool is AND.
    Multiply = "multiply" => Gradient::OfProduct;
    /// The value is divided by the update. Integers are truncated toward zero, and the smallest one divided by −1 is itself; an
    /// integer zero is refused before anything is written. Floats follow IEEE 754. bool has no division.
    Divide = "div" => Gradient::OfQuotient;
    /// The larger of both: IEEE 754-2019 `maximum`, so that NaN wins and −0 < +0. bool is OR.
    Maximum = "amax" => Gradient::ToEqual;
    /// The smaller of both: IEEE 754-2019 `minimum`, so that NaN wins and −0 < +0. bool is AND.
    Minimum = "amin" => Gradient::ToEqual;
}

/// How the gradient of a slot goes to the terms that were combined there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gradient {
    /// To the last term.
    ToLast,
    /// To each term: the whole gradient, for a mean divided by the number of terms.
    ToAll,
    /// In even shares to the terms that are equal to the result: those whose bits are the same, and every NaN where the result is NaN.
    ToEqual,
    /// To each factor, times all the others.
    OfProduct,
    /// To the dividend and the divisors, by the derivatives of a quotient.
    OfQuotient,
}

impl Reduce {
    /// The words that the `reduce` option of `scatter_` takes, which are those of its page. Its absence means replace.
    pub const SCATTER_WORDS: &'static [&'static str] = &["add", "multiply"];

    /// The mode that `scatter_` knows by that name. `op` is the operator that the error names.
    ///
    /// # Errors
    /// `ValueError` (`unknown-reduce`) for any other word; case matters.
    ///
    /// ```
    /// use scatterwise::{Op, Reduce};
    /// assert_eq!(Reduce::from_name(Op::ScatterInPlace, "add"), Ok(Reduce::Add));
    /// assert!(Reduce::from_name(Op::ScatterInPlace, "amax").is_err());
    /// ```
    pub fn from_name(op: Op, name: &str) -> Result<Self> {
        let mut words = Self::ALL.iter().zip(Self::NAMES);
        let found = words.find(|(_, word)| **word == name && Self::SCATTER_WORDS.contains(word));
        found.map(|(&mode, _)| mode).ok_or_else(|| {
            let text = format!(
                "reduce is '{name}'; it must be 'add' or 'multiply', or left out to replace (scatter_reduce has {})",
                Reduction::NAMES.join(", ")
            );
            value_error(op, ErrorCode::UnknownReduce, "reduce", text).not_among(
                "reduce",
                name,
                Self::SCATTER_WORDS,
            )
        })
    }
}

words! {
    /// The reductions of `scatter_reduce` and `segment_reduce`.
    Reduction,
    /// How each update is combined. A mean is a sum until it is divided at the end.
    pub reduce: Reduce;
    Sum = "sum" => Reduce::Add;
    Prod = "prod" => Reduce::Multiply;
    /// The sum, divided once by the number of its terms; integers are divided by floor. bool has no mean.
    Mean = "mean" => Reduce::Add;
    Amax = "amax" => Reduce::Maximum;
    Amin = "amin" => Reduce::Minimum;
}

words! {
    /// What `scatter_nd` does with each update.
    NdReduce,
    /// How each update is combined, and what it is multiplied by before.
    pub parts: (Reduce, Factor);
    Replace = "replace" => (Reduce::Replace, Factor::One);
    Add = "add" => (Reduce::Add, Factor::One);
    /// The update is subtracted: its negative is added, which is exact. bool has no subtraction.
    Sub = "sub" => (Reduce::Add, Factor::MinusOne);
    Multiply = "multiply" => (Reduce::Multiply, Factor::One);
    Div = "div" => (Reduce::Divide, Factor::One);
    Amax = "amax" => (Reduce::Maximum, Factor::One);
    Amin = "amin" => (Reduce::Minimum, Factor::One);
}

/// What the updates are multiplied by before they are applied, in the dtype of the table.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Factor {
    /// Nothing.
    #[default]
    One,
    /// −1; unsigned integers wrap.
    MinusOne,
    /// A number that the dtype has to hold.
    Alpha(Scalar),
}

impl Factor {
    /// An alpha. With 1 no product is computed.
    #[inline(always)]
    pub fn alpha(value: Scalar) -> Self {
        if value.as_f64() == 1.0 { Self::One } else { Self::Alpha(value) }
    }
}

/// How the updates of a scatter are combined with its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Update {
    /// How each is combined with the value that is there.
    pub reduce: Reduce,
    /// Whether the value that is there counts; if not, the first update of a slot replaces it.
    pub include_self: bool,
    /// Whether each slot that was updated is divided by its number of terms afterwards.
    pub mean: Mean,
    /// What a sum of floats is.
    pub sum: Sum,
}

words! {
    /// The two definitions of a sum of floats. Sums of integers, which wrap, and of bool are the same by both.
    #[derive(Default)]
    Sum
    /// One addition after the other, in row-major order of the index, each rounded in the dtype.
    #[default]
    Ordered = "ordered";
    /// The exact sum, rounded once: no order changes a bit of it. A mean is the exact quotient, rounded once.
    Exact = "exact";
}

/// What a scatter divides by at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mean {
    /// Nothing.
    #[default]
    No,
    /// The number of updates of each slot.
    OfUpdates,
    /// That number and one, for the value that was there.
    WithSelf,
}

impl Sum {
    /// Which of the two a sum of elements of that dtype needs: only that of floats depends on order.
    pub(crate) fn of(self, dtype: DType) -> Self {
        if cfg!(feature = "exact") && dtype.is_float() { self } else { Self::Ordered }
    }

    /// Refuses exact sums in a build without them.
    pub(crate) fn check(self, op: Op) -> Result<()> {
        if cfg!(feature = "exact") || self == Self::Ordered {
            return Ok(());
        }
        let text = "sum is 'exact', which needs the feature 'exact'";
        Err(Error::new(ErrorClass::Runtime, ErrorCode::NotInThisEntry, op.name(), text).argument("sum"))
    }
}

impl From<Reduce> for Update {
    fn from(reduce: Reduce) -> Self {
        Self { reduce, include_self: true, mean: Mean::No, sum: Sum::Ordered }
    }
}

impl Reduction {
    /// How the updates of this reduction are combined with the table. `include_self`: whether the value that is there counts as one of the terms.
    pub const fn update(self, include_self: bool) -> Update {
        let mean = match self {
            Self::Sum | Self::Prod | Self::Amax | Self::Amin => Mean::No,
            Self::Mean if include_self => Mean::WithSelf,
            Self::Mean => Mean::OfUpdates,
        };
        Update { reduce: self.reduce(), include_self, mean, sum: Sum::Ordered }
    }
}

impl Reduce {
    /// The bits of the element that changes nothing: any value that is combined with it stays as it is, bit for bit, except that
    /// a NaN may become another NaN. For a sum of floats it is −0, since −0 + +0 is +0. A replacement has no such element; what it has
    /// in its slot is overwritten.
    pub(crate) fn neutral(self, dtype: DType) -> Bits {
        let ends = dtype.int_range();
        let value = match self {
            Self::Add if dtype.is_float() => Scalar::Float(-0.0),
            Self::Replace | Self::Add => Scalar::Int(0),
            Self::Multiply | Self::Divide => Scalar::Int(1),
            Self::Maximum => ends.map_or(Scalar::Float(f64::NEG_INFINITY), |(min, _)| Scalar::Int(min)),
            Self::Minimum => ends.map_or(Scalar::Float(f64::INFINITY), |(_, max)| Scalar::Int(max)),
        };
        value.cast(dtype)
    }
}

impl Update {
    /// Whether one traversal of the updates is all: nothing is put in the place of self before, and nothing is divided afterwards.
    pub(crate) fn is_single(&self) -> bool {
        self.include_self && !self.is_mean()
    }

    pub(crate) fn is_mean(&self) -> bool {
        self.mean != Mean::No
    }

    /// How many terms a mean has at each slot beside the updates: 1 where self counts, else 0. Without a mean it is 0.
    pub(crate) fn other_terms(&self) -> u32 {
        u32::from(self.mean == Mean::WithSelf)
    }

    /// Whether elements of that dtype are added to the accumulators of exact sums.
    pub(crate) fn is_exact(&self, dtype: DType) -> bool {
        self.sum.of(dtype) == Sum::Exact
    }

    /// Refuses what makes no sense at all or for a dtype.
    #[inline(always)]
    pub(crate) fn check(&self, op: Op, factor: Factor, dtype: DType) -> Result<()> {
        match (self.sum, dtype) {
            (Sum::Ordered, DType::Bool) => self.check_bool(op, factor),
            (Sum::Ordered, _) => Ok(()),
            (Sum::Exact, _) => self.check_exact(op, factor, dtype),
        }
    }

    /// Refuses an argmax of a reduction that has none.
    pub(crate) fn check_argmax(&self, op: Op) -> Result<()> {
        if matches!(self.reduce, Reduce::Maximum | Reduce::Minimum) {
            return Ok(());
        }
        let text = "return_indices is true, and reduce is neither 'amax' nor 'amin': only these have a winner (leave return_indices out)";
        Err(wrong_value(op, "return_indices", text))
    }

    #[inline(never)]
    fn check_exact(&self, op: Op, factor: Factor, dtype: DType) -> Result<()> {
        self.sum.check(op)?;
        if self.reduce == Reduce::Add {
            return Self { sum: Sum::Ordered, ..*self }.check(op, factor, dtype);
        }
        let text = "sum is 'exact', and this call is neither a sum nor a mean: leave sum out";
        Err(wrong_value(op, "sum", text))
    }

    fn check_bool(&self, op: Op, factor: Factor) -> Result<()> {
        let word = match (self.is_mean(), self.reduce, factor) {
            (true, ..) => "mean",
            (_, Reduce::Divide, _) => "division",
            (_, _, Factor::MinusOne) => "subtraction",
            _ => return Ok(()),
        };
        Err(no_bool(op, op.table_name(), word))
    }
}

/// The error for a bool operand `name`, where bool has no `what`.
pub(crate) fn no_bool(op: Op, name: &'static str, what: &str) -> Error {
    let text = format!("bool has no {what} (make {name} an integer by {name}.astype('int32'))");
    dtype_mismatch(op, name, DType::Bool, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The package and its tests find modes by the words of `scatter_nd`: a mode without one would run in the Rust suites alone.
    #[test]
    fn every_mode_has_a_word_of_scatter_nd() {
        for (&mode, name) in Reduce::ALL.iter().zip(Reduce::NAMES) {
            let mut words = NdReduce::ALL.iter().zip(NdReduce::NAMES);
            let word = words.find(|(word, _)| word.parts() == (mode, Factor::One)).map(|(_, name)| name);
            assert_eq!(word, Some(name), "{mode:?}: NdReduce needs a line with this word");
        }
    }
}
