//! The code on the device: passes, the text of their shaders, their parameters, their pipelines.

pub(crate) mod act;
pub(crate) mod apply;
pub(crate) mod arithmetic;
pub(crate) mod assemble;
pub(crate) mod combine;
pub(crate) mod kernel;
pub(crate) mod layout;
pub(crate) mod operands;
pub(crate) mod params;
pub(crate) mod pass;
pub(crate) mod pipelines;
pub(crate) mod width;
