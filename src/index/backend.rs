//! What an index is on a device.

use std::rc::Rc;

use crate::engine::Backend;
use crate::engine::backend::backend;
use crate::plan::{Addressing, IndexMode};
use crate::{DType, Result};

/// A device that runs calls by an index.
pub trait IndexBackend: Backend {
    /// The index of a scatter or gather, with its known bounds.
    type Index<'a>;
}

backend! {
    pub(crate) trait IndexOnGpu: IndexBackend {
        /// Turns an index into positions, one word per entry. Only the device knows the index's values. `is_checked`: every value is in
        /// range. If the mode refuses values, the call checks those of the index.
        fn resolve(
            &self,
            plan: &Addressing,
            buffer: Rc<Self::Buffer>,
            dtype: DType,
            mode: IndexMode,
            is_checked: bool,
        ) -> Result<Self::Index<'static>>;

        /// The positions of an index without the entries that another index, with as many entries, drops. The plan has one component.
        fn without(
            &self,
            plan: &Addressing,
            index: &Self::Index<'_>,
            other: &Self::Index<'_>,
        ) -> Result<Self::Index<'static>>;
    }
}
