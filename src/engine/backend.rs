//! What a family needs of a device: its trait, and the operands that its methods take.

use std::ops::Deref;

use crate::Bits;

/// The values that a scatter applies.
#[derive(Clone, Copy)]
pub enum Value<B> {
    /// The elements that the plan addresses as values, in the table's dtype.
    Buffer(B),
    /// One element, which is applied to every addressed element.
    Scalar(Bits),
}

#[cfg(feature = "webgpu")]
impl<B> Value<B> {
    pub(crate) fn buffer(self) -> Option<B> {
        if let Self::Buffer(buffer) = self { Some(buffer) } else { None }
    }
}

impl<B: Deref> Value<B> {
    #[inline(always)]
    pub(crate) fn as_deref(&self) -> Value<&B::Target> {
        match self {
            Self::Buffer(buffer) => Value::Buffer(buffer),
            Self::Scalar(bits) => Value::Scalar(*bits),
        }
    }
}

/// Samples, and which of them count.
pub(crate) struct Masked<'a, B> {
    /// The numbers of all samples.
    pub numbers: &'a B,
    /// For each sample, whether it counts: a bool. `None` if all count.
    pub mask: Option<&'a B>,
}

impl<'a, B> Masked<'a, B> {
    pub(crate) fn new(mask: Option<&'a B>, numbers: &'a B) -> Self {
        Self { numbers, mask }
    }
}

impl<B> Clone for Masked<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Masked<'_, B> {}

/// The groups of equal elements of a tensor, in the order of their values. All are int64.
pub(crate) struct Groups<B> {
    /// The first element of each group.
    pub(crate) index: B,
    /// The group of each element.
    pub(crate) inverse: B,
    /// The number of elements of each group.
    pub(crate) counts: B,
    pub(crate) count: GroupCount<B>,
}

#[allow(unreachable_pub, reason = "it is in a public trait")]
pub enum GroupCount<B> {
    /// On the CPU.
    Known(usize),
    #[cfg_attr(not(feature = "webgpu"), expect(dead_code, reason = "the CPU knows it"))]
    /// On a GPU, as one int64. `index` and `counts` then have a place for each element, and `index` is 0 after the last group.
    Unread(B),
}

/// A device that runs plans. Each family of operators has a trait that says what it needs of one. Their contract: the result has the bits of
/// the sequential loop over index entries in row-major order. The loop computes in the given dtype, which all operands except the index
/// have. If any index value is out of range, nothing is written, and the result is an `IndexError`: at once, or on a GPU at the next read.
/// The other errors are `RuntimeError`: memory is exhausted, or the device does not support the activation for this dtype.
pub trait Backend {
    /// Tensor data on this device.
    type Buffer;
}

/// Declares the trait of a family. Without GPU code it also implements the trait for the GPU, which has no values then.
macro_rules! backend {
    ($(#[$doc:meta])* $vis:vis trait $name:ident: $base:ident {
        $($(#[$about:meta])* fn $method:ident(&self $(, $argument:ident: $kind:ty)* $(,)?) $(-> $result:ty)?;)*
    }) => {
        #[doc = "What a family needs of a device."]
        $(#[$doc])*
        $vis trait $name: $base {
            $($(#[$about])* fn $method(&self $(, $argument: $kind)*) $(-> $result)?;)*
        }

        #[cfg(not(feature = "webgpu"))]
        impl $name for std::rc::Rc<$crate::engine::gpu::Gpu> {
            $(#[inline(always)]
            fn $method(&self $(, $argument: $kind)*) $(-> $result)? { match **self {} })*
        }
    };
}
pub(crate) use backend;
