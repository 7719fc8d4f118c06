//! An index on the CPU: its check, and its values as positions.

pub(crate) mod checked;
pub(crate) mod elements;
pub(crate) mod index;
pub(crate) mod split;

use std::borrow::Cow;
use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::index::backend::IndexBackend;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::index::normalise;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::mode::OutOfRange;

/// The index of a scatter or gather.
pub(crate) enum Index<'a> {
    /// Values of int32 or int64. The call checks them, unless an earlier one has noted bounds on the buffer that fit.
    Given(&'a HostBuffer, DType),
    /// Positions that were checked for the call's plan, or for a plan with at most as many positions.
    Checked(Rc<CheckedIndex>),
}

impl Index<'_> {
    /// A checked position for each entry of the index, or `DROPPED`.
    pub(crate) fn positions<'a>(&'a self, plan: &'a Addressing) -> Result<Cow<'a, [u32]>> {
        match self {
            Self::Given(index, dtype) => normalise(plan, index, *dtype),
            Self::Checked(positions) => Ok(Cow::Borrowed(positions.values())),
        }
    }

    /// The positions of the values, each checked.
    pub(crate) fn checked(&self, plan: &Addressing) -> Result<Rc<CheckedIndex>> {
        match self {
            Self::Checked(positions) => Ok(positions.clone()),
            Self::Given(index, dtype) => {
                Ok(Rc::new(CheckedIndex::new(plan, index, *dtype, OutOfRange::Raise)?))
            }
        }
    }
}

impl IndexBackend for Cpu {
    type Index<'a> = Index<'a>;
}
