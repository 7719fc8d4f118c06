//! Replaces the GPU backend in a build without it. Its types have no values. So the modules above need no `cfg`, and the compiler drops
//! all code that handles such a value.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::dims::plan::DimsPlan;
use crate::dtype::DType;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::{Backend, Groups, Masked, Value};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::exact::number::ExactNumber;
use crate::histograms::plan::bincount::BincountPlan;
use crate::histograms::plan::binned::BinnedPlan;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::host::HostBuffer;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::facts::IndexFacts;
use crate::plan::index::mode::IndexMode;
use crate::plan::op::Op;
use crate::plan::reduce::{Reduce, Update};
use crate::scalar::Bits;
use crate::segments::plan::{CheckedSegments, GivenSegments};
use crate::sort::plan::{SearchPlan, SortPlan};

/// A GPU device.
pub enum Gpu {}

/// A buffer of one device.
pub enum DeviceBuffer {}

/// The index of a scatter or gather.
#[derive(Clone)]
pub enum Index {}

/// A tensor's data in GPU memory.
#[derive(Clone)]
pub(crate) enum OnDevice {}

/// Exact sums that outlive a call.
pub(crate) enum ExactSums {}

/// The error for operator `op`, which needs a GPU device.
///
/// # Errors
/// `RuntimeError` (`device-unavailable`).
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

impl Gpu {
    none! {
        drops() -> u64;
        check_buffer(op: &'static str, buffer: &DeviceBuffer) -> Result<()>;
        upload(op: &'static str, bytes: &[u8]) -> Result<DeviceBuffer>;
        bincount(plan: &BincountPlan, places: usize, x: Masked<'_, DeviceBuffer>, weights: Option<(&DeviceBuffer, Update)>) -> Result<DeviceBuffer>;
        count_values(plan: &BincountPlan, places: usize, x: &DeviceBuffer, is_checked: bool) -> Result<DeviceBuffer>;
        check_values(plan: &BincountPlan, places: usize, x: &DeviceBuffer);
        check_edges(plan: &HistogramPlan, column: usize, dtype: DType, edges: &DeviceBuffer);
        index_of_given(given: &GivenSegments, values: &DeviceBuffer, dtype: DType) -> Result<Option<(Addressing, Index)>>;
        has_spmm(for_rows: &Addressing, dtype: DType, update: Update, has_values: bool, keeps_order: bool) -> bool;
        resolve(plan: &Addressing, buffer: Rc<DeviceBuffer>, dtype: DType, mode: IndexMode, is_checked: bool) -> Result<Index>;
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
        places() -> usize;
        number(place: usize) -> ExactNumber;
    }
}

impl OnDevice {
    pub(crate) fn new(buffer: DeviceBuffer, _facts: Option<IndexFacts>) -> Self {
        match buffer {}
    }

    none! {
        facts() -> Option<&IndexFacts>;
        #[cfg(target_arch = "wasm32")]
        is_shared() -> bool;
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

impl Index {
    pub(crate) fn values(buffer: Rc<DeviceBuffer>, _dtype: DType, _is_checked: bool) -> Self {
        match *buffer {}
    }

    pub(crate) fn positions(buffer: Rc<DeviceBuffer>, _drops: bool, _is_distinct: bool) -> Self {
        match *buffer {}
    }

    none! {
        gpu() -> Rc<Gpu>;
    }
}

/// The methods of [`Backend`], with all arguments but the first.
macro_rules! no_backend {
    ($($name:ident($($kind:ty),*) -> $result:ty;)*) => {
        impl Backend for Rc<Gpu> {
            type Buffer = DeviceBuffer;
            type Index<'a> = Index;

            $(#[inline(always)]
            fn $name(&self $(, _: $kind)*) -> $result { match **self {} })*
        }
    };
}

no_backend! {
    scatter(
        &Addressing, DType, Update, &mut Rc<DeviceBuffer>, &Index, Value<&DeviceBuffer>
    ) -> Result<()>;
    scatter_winners(
        &Addressing, DType, Update, &mut Rc<DeviceBuffer>, &Index, Value<&DeviceBuffer>
    ) -> Result<DeviceBuffer>;
    gather(&Addressing, DType, &DeviceBuffer, &Index, Bits) -> Result<DeviceBuffer>;
    scan_both_ways(&Addressing, DType, Reduce, &Index, &DeviceBuffer) -> Result<[DeviceBuffer; 2]>;
    spmm(
        [&Addressing; 2], DType, Update, [&Index; 2], Option<&DeviceBuffer>, &DeviceBuffer
    ) -> Result<Option<DeviceBuffer>>;
    combine_segments(
        &CheckedSegments, DType, Update, &mut Rc<DeviceBuffer>, &DeviceBuffer
    ) -> Result<()>;
    segment_winners(
        &CheckedSegments, DType, Update, &mut Rc<DeviceBuffer>, &DeviceBuffer
    ) -> Result<DeviceBuffer>;
    elementwise(&BroadcastPlan, DType, &DeviceBuffer, &DeviceBuffer) -> Result<DeviceBuffer>;
    elementwise_in_place(&BroadcastPlan, DType, &mut Rc<DeviceBuffer>, &DeviceBuffer) -> Result<()>;
    convert(&'static str, DType, DType, &DeviceBuffer) -> Result<DeviceBuffer>;
    reduce_dims(&DimsPlan, &DeviceBuffer) -> Result<DeviceBuffer>;
    edges_of_extent(&HistogramPlan, Masked<'_, DeviceBuffer>, &[usize]) -> Result<Vec<DeviceBuffer>>;
    histogram(
        &HistogramPlan, &[impl Deref<Target = DeviceBuffer>], Masked<'_, DeviceBuffer>, Option<&DeviceBuffer>
    ) -> Result<DeviceBuffer>;
    binned_statistic(
        &BinnedPlan, &[impl Deref<Target = DeviceBuffer>], Masked<'_, DeviceBuffer>, Option<&DeviceBuffer>
    ) -> Result<DeviceBuffer>;
    density(Op, (&DeviceBuffer, DType), (&DeviceBuffer, DType)) -> Result<DeviceBuffer>;
    argsort(&SortPlan, &DeviceBuffer) -> Result<DeviceBuffer>;
    groups(&SortPlan, &DeviceBuffer) -> Result<Groups<DeviceBuffer>>;
    search(&SearchPlan, &DeviceBuffer, &DeviceBuffer) -> Result<DeviceBuffer>;
}
