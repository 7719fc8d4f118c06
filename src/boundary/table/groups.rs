//! Groups in the table of handles.

use std::rc::Rc;

use crate::Result;
use crate::boundary::table::{Held, stale, with};
use crate::group_by::Groups;

pub(crate) fn keep_groups(groups: Groups) -> Result<u32> {
    with(|table| {
        let handle = table.insert(Held::Groups(Rc::new(groups)))?;
        table.tensors += 1;
        Ok(handle)
    })
}

/// The groups of a handle.
pub(crate) fn groups(handle: u32) -> Result<Rc<Groups>> {
    with(|table| {
        let Some(Held::Groups(groups)) = table.held(handle) else { return Err(stale()) };
        Ok(Rc::clone(groups))
    })
}
