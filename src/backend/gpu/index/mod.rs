//! Index entries: how passes read them, and the check of their values.

pub(crate) mod check;
pub(crate) mod entries;
