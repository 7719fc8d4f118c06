//! Exact sums in the table of handles.

use crate::Result;
use crate::boundary::Table;
use crate::boundary::table::{Held, stale, with};
use crate::exact::exact_sum::ExactSum;

pub(crate) fn keep_sums(sums: ExactSum) -> Result<u32> {
    with(|table| {
        let handle = table.insert(Held::Sums(Box::new(sums)))?;
        table.tensors += 1;
        Ok(handle)
    })
}

/// Runs `use_them` with the table, from which it reads the operands of a call, and with the sums of a handle. Meanwhile the sums
/// are not in their slot.
pub(crate) fn with_sums<T>(
    handle: u32,
    use_them: impl FnOnce(&mut Table, &mut ExactSum) -> Result<T>,
) -> Result<T> {
    with(|table| {
        let mut sums = table.take_sums(handle)?;
        let done = use_them(table, &mut sums);
        table.return_sums(handle, sums);
        done
    })
}

impl Table {
    #[inline(never)]
    fn take_sums(&mut self, handle: u32) -> Result<Box<ExactSum>> {
        let held = self.held_mut(handle).ok_or_else(stale)?;
        let Held::Sums(_) = held else { return Err(stale()) };
        let Held::Sums(sums) = std::mem::replace(held, Held::Nothing(None)) else { return Err(stale()) };
        Ok(sums)
    }

    #[inline(never)]
    fn return_sums(&mut self, handle: u32, sums: Box<ExactSum>) {
        if let Some(held) = self.held_mut(handle) {
            *held = Held::Sums(sums);
        }
    }

    pub(crate) fn sums(&self, handle: u32) -> Result<&ExactSum> {
        let Some(Held::Sums(sums)) = self.held(handle) else { return Err(stale()) };
        Ok(sums)
    }
}
