//! Records a pass over device buffers.

use std::rc::Rc;

use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::record::recorder::Bound;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::params::Block;

/// The buffers of one dispatch, by their names in shaders; `None` if the pass does not use one. An operation on two tensors has y in
/// `index` and x in `src`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bindings<'a> {
    pub(crate) index: Option<&'a DeviceBuffer>,
    pub(crate) dst: Option<&'a DeviceBuffer>,
    pub(crate) src: Option<&'a DeviceBuffer>,
}

impl Gpu {
    /// Records a pass. The head of its parameters says how many threads it has.
    pub(crate) fn dispatch<B: Block>(self: &Rc<Self>, key: ShaderKey, params: B, bindings: &Bindings<'_>) {
        self.dispatch_rounds(key, params, 1, bindings);
    }

    /// Records a pass. Each thread runs `rounds` rounds of a loop on average. A pass that exceeds the work of one submission
    /// takes several dispatches.
    pub(crate) fn dispatch_rounds<B: Block>(
        self: &Rc<Self>,
        key: ShaderKey,
        params: B,
        rounds: usize,
        bindings: &Bindings<'_>,
    ) {
        self.dispatch_with(key, params, rounds, bindings, None);
    }

    /// [`Gpu::dispatch_rounds`] of a pass with one more buffer, its scratch memory.
    pub(crate) fn dispatch_with<B: Block>(
        self: &Rc<Self>,
        key: ShaderKey,
        mut params: B,
        rounds: usize,
        bindings: &Bindings<'_>,
        scratch: Option<&DeviceBuffer>,
    ) {
        debug_assert_eq!(key.pass.file().params, B::MEMBERS, "{key:?} has other parameters");
        self.dispatch_bytes(key, bytemuck::bytes_of_mut(&mut params), rounds as u64, bindings, scratch);
    }

    /// [`Gpu::dispatch_with`] on the bytes of the parameters. Not generic, so it is compiled once.
    fn dispatch_bytes(
        &self,
        key: ShaderKey,
        params: &mut [u8],
        rounds: u64,
        bindings: &Bindings<'_>,
        scratch: Option<&DeviceBuffer>,
    ) {
        let Bindings { index, dst, src } = *bindings;
        let bytes = [index, dst, src, scratch].into_iter().flatten().map(|buffer| buffer.len() as u64).sum();
        let [index, raw_dst, src, scratch] =
            [index, dst, src, scratch].map(|buffer| buffer.map(DeviceBuffer::raw));
        let bound = Bound { index, dst: raw_dst, src, scratch, bytes };
        let batch = self.recorder.dispatch(key, params, rounds, bound);
        if let Some(dst) = dst {
            dst.written_in(batch);
            #[cfg(feature = "testing")]
            watch::wrote(key.pass, dst);
        }
    }
}

/// Copies of the results of passes, for tests.
#[cfg(feature = "testing")]
pub(crate) mod watch {
    use std::cell::RefCell;

    use crate::engine::gpu::buffer::DeviceBuffer;
    use crate::engine::gpu::shaders::pass::Pass;

    thread_local! {
        static WRITTEN: RefCell<Option<Vec<(Pass, DeviceBuffer)>>> = const { RefCell::new(None) };
    }

    /// Starts or stops to copy the results of each pass. Returns the copies made so far.
    pub(crate) fn watch(is_watching: bool) -> Vec<(Pass, DeviceBuffer)> {
        WRITTEN.replace(is_watching.then(Vec::new)).unwrap_or_default()
    }

    /// Keeps a copy of the result of a pass.
    pub(crate) fn wrote(pass: Pass, dst: &DeviceBuffer) {
        WRITTEN.with_borrow_mut(|written| {
            if let Some(written) = written
                && let Ok(copy) = dst.duplicate("watch")
            {
                written.push((pass, copy));
            }
        });
    }
}
