//! The GPU of the tests: the library's, or in a build without the feature `webgpu` a type that has no value.
//!
//! With the second one `cargo test --no-default-features` compiles the same suites without wgpu, and runs their rows on the CPU.

#[cfg(feature = "webgpu")]
pub(crate) use scatterwise::backend::gpu::{Arithmetic, Gpu, Strategy};

#[cfg(not(feature = "webgpu"))]
pub(crate) use absent::{Arithmetic, Gpu, Strategy};

#[cfg(feature = "webgpu")]
use {scatterwise::backend::gpu::DeviceOptions, scatterwise::context, std::rc::Rc};

/// Starts the device of this thread.
#[cfg(feature = "webgpu")]
pub(crate) async fn start() -> scatterwise::Result<Rc<Gpu>> {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    context::start_gpu("test", options, None).await
}

/// The device that was started last, if it is not lost.
#[cfg(not(any(feature = "webgpu", target_arch = "wasm32")))]
pub(crate) fn current() -> Option<std::rc::Rc<Gpu>> {
    None
}

/// The device that was started last, if it is not lost.
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) fn current() -> Option<Rc<Gpu>> {
    context::current_gpu()
}

/// What the suites that also run on the CPU ask of a GPU. None of it can be called: there is no `Gpu` to call it on.
#[cfg(not(feature = "webgpu"))]
mod absent {
    use std::rc::Rc;

    use scatterwise::Result;

    pub(crate) enum Gpu {}

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Arithmetic {
        Native,
        Guarded,
        Strict,
    }

    impl Arithmetic {
        pub(crate) const ALL: [Self; 3] = [Self::Native, Self::Guarded, Self::Strict];
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Strategy {
        Sorted,
    }

    impl Strategy {
        pub(crate) const ALL: &[Self] = &[Self::Sorted];
    }

    pub(crate) struct Facts {
        pub(crate) description: String,
        pub(crate) software: bool,
    }

    pub(crate) struct Limits {
        pub(crate) max_storage_buffer_binding_size: u64,
        pub(crate) max_buffer_size: u64,
    }

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Numerics {
        pub(crate) float32: Arithmetic,
        pub(crate) keeps_subnormals: bool,
        pub(crate) keeps_nan: bool,
    }

    #[derive(Clone, Copy)]
    pub(crate) struct Counts {
        pub(crate) dispatches: u64,
        pub(crate) written: u64,
    }

    impl Counts {
        pub(crate) fn since(self, _: Self) -> Self {
            self
        }
    }

    impl Gpu {
        pub(crate) fn facts(&self) -> &Facts {
            match *self {}
        }

        pub(crate) fn limits(&self) -> &Limits {
            match *self {}
        }

        pub(crate) fn numerics(&self) -> Numerics {
            match *self {}
        }

        pub(crate) fn counts(&self) -> Counts {
            match *self {}
        }

        pub(crate) fn bytes(&self) -> u64 {
            match *self {}
        }

        pub(crate) fn pooled_bytes(&self) -> u64 {
            match *self {}
        }

        pub(crate) fn free_pooled(self: &Rc<Self>) {
            match **self {}
        }

        pub(crate) fn alive(&self, _: &'static str) -> Result<()> {
            match *self {}
        }

        pub(crate) async fn sync(self: &Rc<Self>) -> Result<()> {
            match **self {}
        }

        pub(crate) fn force_arithmetic(&self, _: Arithmetic) {
            match *self {}
        }

        pub(crate) fn force_strategy(&self, _: Option<Strategy>) {
            match *self {}
        }
    }
}
