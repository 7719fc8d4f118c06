//! Exact sums on a GPU in a build without it: see `engine/gpu_none.rs`.

use std::rc::Rc;

use crate::engine::Value;
use crate::engine::gpu::{DeviceBuffer, Gpu, none};
use crate::exact::arithmetic::number::ExactNumber;
use crate::index::gpu::Index;
use crate::plan::Addressing;
use crate::{DType, Result};

/// Exact sums that outlive a call.
pub(crate) enum ExactSums {}

impl ExactSums {
    pub(crate) fn new(gpu: &Rc<Gpu>, _op: &'static str, _dtype: DType, _places: usize) -> Result<Self> {
        match **gpu {}
    }

    pub(crate) fn holding(
        gpu: &Rc<Gpu>,
        _op: &'static str,
        _dtype: DType,
        _places: usize,
        _number: impl Fn(usize) -> ExactNumber,
    ) -> Result<Self> {
        match **gpu {}
    }

    pub(crate) fn read(&self, _op: &'static str) -> std::future::Ready<Result<Numbers>> {
        match *self {}
    }

    none! {
        gpu() -> Rc<Gpu>;
        usable(op: &'static str) -> Result<()>;
        add(plan: &Addressing, index: &Index, value: Value<&DeviceBuffer>) -> Result<()>;
        merge(other: &Self);
        duplicate(op: &'static str) -> Result<Self>;
        rounded(op: &'static str, means: bool) -> Result<DeviceBuffer>;
        counts(op: &'static str) -> Result<DeviceBuffer>;
    }
}

/// Exact sums that were read.
pub(crate) enum Numbers {}

impl Numbers {
    none! {
        slots() -> usize;
        number(slot: usize) -> ExactNumber;
    }
}
