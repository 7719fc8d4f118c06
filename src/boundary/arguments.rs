//! The arguments of a call: numbers in the block, in the order of the operator's row in `src/js/arguments/operators.js`.
//!
//! Any number can be there, and each reader takes any: it returns an error, or the value that stands for "none".

use crate::boundary::facts::argument;
use crate::boundary::wire::NO_SCALAR;
use crate::boundary::{facts, scalar, table, wire};
#[cfg(any(feature = "dims", feature = "masks", feature = "sort"))]
use crate::plan::Op;
use crate::plan::{IndexMode, Reduction, Sum};
use crate::{DType, Result, Scalar, Tensor};
#[cfg(any(feature = "masks", feature = "sort"))]
use crate::{Device, Error, ErrorClass, ErrorCode};

/// Reads the arguments of a call from the first to the last.
#[derive(Default)]
pub(crate) struct Arguments {
    next: usize,
}

impl Arguments {
    pub(crate) fn number(&mut self) -> f64 {
        self.next += 1;
        argument(self.next - 1)
    }

    /// A handle, or the number of a word.
    pub(crate) fn word(&mut self) -> u32 {
        self.number() as u32
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.number() != 0.0
    }

    pub(crate) fn integer(&mut self) -> i64 {
        self.number() as i64
    }

    /// `None` for NaN.
    pub(crate) fn optional_integer(&mut self) -> Option<i64> {
        Some(self.number()).filter(|number| !number.is_nan()).map(|number| number as i64)
    }

    /// `None` for NaN.
    pub(crate) fn size(&mut self) -> Option<usize> {
        Some(self.number()).filter(|number| !number.is_nan()).map(|number| number as usize)
    }

    pub(crate) fn tensor(&mut self) -> Result<Tensor> {
        table::tensor(self.word())
    }

    /// `None` for 0.
    pub(crate) fn optional_tensor(&mut self) -> Result<Option<Tensor>> {
        match self.word() {
            0 => Ok(None),
            handle => table::tensor(handle).map(Some),
        }
    }

    /// `None` for a number that is no dtype's.
    pub(crate) fn dtype(&mut self) -> Option<DType> {
        DType::ALL.get(self.word() as usize).copied()
    }

    pub(crate) fn mode(&mut self) -> IndexMode {
        facts::mode(self.word())
    }

    pub(crate) fn sum(&mut self) -> Sum {
        wire::sum(self.flag())
    }

    pub(crate) fn reduction(&mut self) -> Reduction {
        Reduction::ALL.get(self.word() as usize).copied().unwrap_or(Reduction::Sum)
    }

    /// A scalar, by its kind and its number; `None` for the kind `NO_SCALAR`.
    pub(crate) fn scalar(&mut self) -> Option<Scalar> {
        let (kind, number) = (self.word(), self.number());
        (kind != NO_SCALAR).then(|| scalar(kind, number))
    }
}

/// Positions or counts in the dtype that the call names; as they are, int64, for `None`.
#[cfg(feature = "sort")]
pub(crate) fn as_dtype(op: Op, positions: Tensor, dtype: Option<DType>) -> Result<Tensor> {
    dtype.map_or(Ok(positions.clone()), |dtype| positions.convert(op.name(), dtype))
}

/// An operand of a call whose result has to be there at once, if the operator is such a form: refused on a GPU.
#[cfg(any(feature = "masks", feature = "sort"))]
pub(crate) fn on_cpu(op: Op, argument: &'static str, operand: Tensor) -> Result<Tensor> {
    match op.name().strip_suffix("_sync") {
        Some(awaited) if operand.device() != Device::Cpu => {
            let text = format!(
                "{argument} lives on webgpu, and how long the result is can only be read there with a wait: use await {awaited}"
            );
            Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument(argument))
        }
        Some(_) | None => Ok(operand),
    }
}
