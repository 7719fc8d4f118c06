//! Enters the device that has the data of a tensor, and brings operands and results to a device. A family's operator and its `backend`
//! use it. The `cpu` and `gpu` of a family know no tensors.
//!
//! The plan of a call fits its tensors, so nothing here checks shapes and dtypes again. Errors name `op`, the operator, and
//! `argument`, the name of an operand.

/// Runs an expression with the backend that holds the data of a tensor, and with that data. Unusable data on a GPU ends the
/// function with an error, which names `op`.
macro_rules! where_it_is {
    ($op:expr, $storage:expr, |$backend:ident, $data:ident| $run:expr) => {
        match $storage {
            #[allow(
                unused_variables,
                clippy::needless_borrow,
                clippy::needless_option_as_deref,
                reason = "not every call needs the data itself, and its operands are references already"
            )]
            $crate::storage::Storage::Host($data) => {
                let $backend = &$crate::engine::cpu::run::Cpu;
                $run
            }
            $crate::storage::Storage::Device($data) => {
                $data.usable($op)?;
                let $backend = &$data.gpu();
                $run
            }
        }
    };
}
pub(crate) use where_it_is;

pub(crate) mod operands;
pub(crate) mod transfer;

pub(crate) use crate::dispatch::transfer::{download, on_device_of, reinterpret, to_device_of, upload};
