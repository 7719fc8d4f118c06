//! Counts, sums and statistics of samples by value or in bins: `bincount`, `histogram`, `histogramdd`, `binned_statistic`, `bin_codes`.

pub(crate) mod backend;
pub(crate) mod bin_codes;
pub(crate) mod bincount;
pub(crate) mod binned_statistic;
pub(crate) mod bins;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod histogram;
pub(crate) mod kernels;
pub(crate) mod options;
#[cfg_attr(not(feature = "sort"), path = "places_none.rs")]
pub(crate) mod places;
pub(crate) mod plan;
