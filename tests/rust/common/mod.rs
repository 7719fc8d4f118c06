//! What the suites share.

pub(crate) mod backends;
pub(crate) mod call;
pub(crate) mod data;
pub(crate) mod dims;
pub(crate) mod exact;
pub(crate) mod histogram;
pub(crate) mod oracle;
pub(crate) mod pairs;
pub(crate) mod random;
pub(crate) mod recorded;
pub(crate) mod report;
pub(crate) mod sort;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod thread;
pub(crate) mod vectors;
