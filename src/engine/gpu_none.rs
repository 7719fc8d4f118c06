//! Replaces the engine of the GPU in a build without it. Its types have no values. So the families need no `cfg` in their operators, and
//! the compiler drops all code that handles such a value.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::engine::Backend;
use crate::plan::ValueRanges;
use crate::{Error, ErrorClass, ErrorCode, HostBuffer, Result};

pub enum Gpu {}

pub enum DeviceBuffer {}

#[derive(Clone)]
pub(crate) enum OnDevice {}

/// The error for operator `op`, which needs a GPU device.
pub(crate) fn require_gpu(op: &'static str) -> Result<Rc<Gpu>> {
    let text = "this build has no GPU code: import 'scatterwise' instead of 'scatterwise/cpu'";
    Err(Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text))
}

/// Methods of a type without values.
macro_rules! none {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        $($(#[$attribute])*
        #[allow(unused_variables, clippy::unused_self, reason = "it is never called")]
        #[inline(always)]
        pub(crate) fn $name(&self $(, $argument: $kind)*) $(-> $result)? { match *self {} })*
    };
}
pub(crate) use none;

impl Gpu {
    none! {
        drops() -> u64;
        check_buffer(op: &'static str, buffer: &DeviceBuffer) -> Result<()>;
        upload(op: &'static str, bytes: &[u8]) -> Result<DeviceBuffer>;
    }
}

impl DeviceBuffer {
    none! {
        gpu() -> Rc<Gpu>;
        usable(op: &'static str) -> Result<()>;
        first(op: &'static str, len: usize) -> Result<Self>;
        #[cfg(target_arch = "wasm32")]
        is_borrowed() -> bool;
        #[cfg(target_arch = "wasm32")]
        borrows_same(other: &Self) -> bool;
        #[cfg(target_arch = "wasm32")]
        duplicate(op: &'static str) -> Result<Self>;
    }

    pub(crate) fn read(&self, _op: &'static str) -> std::future::Ready<Result<HostBuffer>> {
        match *self {}
    }
}

impl OnDevice {
    pub(crate) fn new(buffer: DeviceBuffer, _facts: Option<ValueRanges>) -> Self {
        match buffer {}
    }

    none! {
        facts() -> Option<&ValueRanges>;
        #[cfg(target_arch = "wasm32")]
        is_shared() -> bool;
        with_facts_of(other: &Self) -> Self;
        reinterpreted() -> Self;
    }
}

impl Deref for OnDevice {
    type Target = Rc<DeviceBuffer>;

    fn deref(&self) -> &Rc<DeviceBuffer> {
        match *self {}
    }
}

impl DerefMut for OnDevice {
    fn deref_mut(&mut self) -> &mut Rc<DeviceBuffer> {
        match *self {}
    }
}

impl Backend for Rc<Gpu> {
    type Buffer = DeviceBuffer;
}
