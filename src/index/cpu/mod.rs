//! An index on the CPU: its check, and its values as positions.

pub(crate) mod checked;
pub(crate) mod elements;
pub(crate) mod index;
pub(crate) mod split;

use std::borrow::Cow;
use std::rc::Rc;

use crate::engine::cpu::kernels::job::Verdict;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::index::backend::IndexBackend;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::index::CallIndex;
use crate::index::kernels::positions::Positions;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::mode::IndexMode;

/// The index of a scatter or gather.
pub(crate) enum Index<'a> {
    /// Values that the call checks, unless an earlier one has noted bounds on the buffer that fit.
    Given(CallIndex<'a>),
    /// Positions that were checked for the call's plan, or for a plan with at most as many positions.
    Checked(Rc<CheckedIndex>),
}

impl Index<'_> {
    /// A checked position for each entry of the index, or `DROPPED`.
    pub(crate) fn all(&self) -> Result<Cow<'_, [u32]>> {
        match self {
            Self::Given(index) => index.all(),
            Self::Checked(positions) => Ok(Cow::Borrowed(positions.values())),
        }
    }

    /// The positions in memory, each checked, for a call that walks them more than once.
    pub(crate) fn kept(&self) -> Result<Rc<CheckedIndex>> {
        match self {
            Self::Given(index) => Ok(Rc::new(CheckedIndex::of(index, IndexMode::default())?)),
            Self::Checked(positions) => Ok(positions.clone()),
        }
    }

    /// The positions for a call by `plan`, each checked.
    pub(crate) fn checked<'a>(&'a self, plan: &'a Addressing) -> Result<Positions<'a>> {
        match self {
            Self::Given(index) => index.checked(),
            Self::Checked(positions) => Ok(positions.positions(plan)),
        }
    }

    /// The positions for a call by `plan`. The job checks those that were not checked: see [`CallIndex::unchecked`].
    #[inline(always)]
    pub(crate) fn unchecked<'a>(&'a self, plan: &'a Addressing) -> Positions<'a> {
        match self {
            Self::Given(index) => index.unchecked(),
            Self::Checked(positions) => positions.positions(plan),
        }
    }

    /// Judges the verdict of a job on [`Index::unchecked`]; `None` if the job had nothing to do, and so checked nothing.
    #[inline(always)]
    pub(crate) fn judge(&self, verdict: Option<Verdict>) -> Result<()> {
        match self {
            Self::Given(index) => index.judge(&verdict.unwrap_or_else(|| index.check())),
            Self::Checked(_) => Ok(()),
        }
    }
}

impl IndexBackend for Cpu {
    type Index<'a> = Index<'a>;
}
