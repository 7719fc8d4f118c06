//! What reductions along dimensions need of a device, and how their calls enter it.

use crate::Result;
use crate::dims::plan::DimsPlan;
use crate::engine::Backend;
use crate::engine::backend::backend;

backend! {
    /// What reductions along dimensions need of a device.
    pub(crate) trait DimsBackend: Backend {
        /// Reduces elements along dimensions. The plan has results, and each has terms. Sums of floats are exact, and no order changes any
        /// bit.
        fn reduce_dims(&self, plan: &DimsPlan, data: &Self::Buffer) -> Result<Self::Buffer>;
    }
}
