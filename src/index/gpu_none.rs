//! An index on a GPU in a build without it: see `engine/gpu_none.rs`.

use std::rc::Rc;

use crate::DType;
use crate::engine::gpu::{DeviceBuffer, Gpu, none};
use crate::index::IndexBackend;

/// The index of a scatter or gather.
#[derive(Clone)]
pub enum Index {}

impl Index {
    pub(crate) fn values(buffer: Rc<DeviceBuffer>, _dtype: DType, _is_checked: bool) -> Self {
        match *buffer {}
    }

    pub(crate) fn positions(buffer: Rc<DeviceBuffer>, _drops: bool, _longest_run: Option<usize>) -> Self {
        match *buffer {}
    }

    none! {
        gpu() -> Rc<Gpu>;
        kept() -> Self;
        trusted() -> Self;
    }
}

impl IndexBackend for Rc<Gpu> {
    type Index<'a> = Index;
}
