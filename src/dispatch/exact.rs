//! Exact sums that outlive a call. They live in host memory: the GPU backend has no such sums yet.

use crate::backend::Value;
use crate::backend::cpu::{Cpu, ExactSums};
use crate::dispatch::Index;
use crate::dispatch::operands::Operands;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::exact::{self, MOST_TERMS, Parts};
use crate::plan::Addressing;
use crate::shape::Shape;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// Exact sums, with the count of terms of each.
pub(crate) struct ExactParts {
    sums: Box<ExactSums>,
    /// False if memory ran out while terms were added: then only some of the terms are in the sums.
    is_whole: bool,
    /// An upper bound of the terms of every place.
    most: u64,
}

impl ExactParts {
    /// Sums without terms.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn new(op: &'static str, places: usize, dtype: DType) -> Result<Self> {
        Ok(Self { sums: ExactSums::new(op, dtype, places, true)?, is_whole: true, most: 0 })
    }

    /// Reads sums from bytes that [`ExactParts::bytes`] wrote.
    ///
    /// # Errors
    /// `ValueError` for all other bytes; `RuntimeError` when memory is exhausted.
    pub(crate) fn read(op: &'static str, bytes: &[u8]) -> Result<(Shape, DType, Self)> {
        let read = Parts::read(op, bytes)?;
        let mut made = Self::new(op, read.shape.size(), read.dtype)?;
        (0..read.shape.size()).try_for_each(|place| made.sums.put(place, read.number(place)))?;
        made.most = made.sums.most_terms();
        Ok((read.shape, read.dtype, made))
    }

    /// Adds the values of a scatter.
    ///
    /// # Errors
    /// `IndexError` for an index value; `RuntimeError` for operands on a GPU, and for more terms than a sum can have. These add
    /// nothing. `RuntimeError` when memory is exhausted: every later call then refuses the sums.
    pub(crate) fn add(&mut self, plan: &Addressing, index: &Index, value: Value<&Tensor>) -> Result<()> {
        let op = plan.op().name();
        self.check(op)?;
        let most = self.most_with(op, plan.entries() as u64)?;
        let index = Cpu.index(plan, index)?;
        let positions = index.positions(plan)?;
        let value = Cpu.value(plan, value)?;
        self.is_whole = false;
        Cpu.add_exact(plan, &positions, value.as_deref(), &mut self.sums)?;
        (self.is_whole, self.most) = (true, most);
        Ok(())
    }

    /// Adds the terms of other sums. Both have the same dtype and the same number of places.
    ///
    /// # Errors
    /// `RuntimeError` as for [`ExactParts::add`].
    pub(crate) fn merge(&mut self, op: &'static str, other: &Self) -> Result<()> {
        self.check(op)?;
        other.check(op)?;
        let most = self.most_with(op, other.most)?;
        self.is_whole = false;
        self.sums.merge(&other.sums)?;
        (self.is_whole, self.most) = (true, most);
        Ok(())
    }

    /// The sums, or the means, rounded once.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted, or ran out earlier while terms were added.
    pub(crate) fn rounded(&self, op: &'static str, means: bool) -> Result<Storage> {
        self.check(op)?;
        self.sums.rounded(means).map(Storage::from)
    }

    /// The counts, int64.
    ///
    /// # Errors
    /// As for [`ExactParts::rounded`].
    pub(crate) fn counts(&self, op: &'static str) -> Result<Storage> {
        self.check(op)?;
        self.sums.copy_of_counts().map(Storage::from)
    }

    /// The canonical bytes.
    ///
    /// # Errors
    /// As for [`ExactParts::rounded`].
    pub(crate) fn bytes(&mut self, op: &'static str, shape: &Shape) -> Result<Vec<u8>> {
        self.check(op)?;
        self.sums.carry();
        exact::write(op, shape, self.sums.dtype(), |place| self.sums.number(place))
    }

    /// An upper bound of the terms of every place, if each gets `more` of them.
    ///
    /// # Errors
    /// `RuntimeError` if a sum cannot have so many terms.
    fn most_with(&mut self, op: &'static str, more: u64) -> Result<u64> {
        if self.most + more > MOST_TERMS {
            // The noted bound may be too high.
            self.most = self.sums.most_terms();
        }
        if self.most + more <= MOST_TERMS {
            return Ok(self.most + more);
        }
        let text = format!("a place might get more than {MOST_TERMS} terms");
        Err(Error::new(ErrorClass::Runtime, ErrorCode::ValueOverflow, op, text))
    }

    /// Refuses sums that lack some of their terms.
    #[inline(never)]
    fn check(&self, op: &'static str) -> Result<()> {
        if self.is_whole {
            return Ok(());
        }
        let text = "memory ran out while terms were added to these sums; make them again";
        Err(Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text))
    }
}
