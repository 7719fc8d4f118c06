//! Records a pass over device buffers.

use crate::engine::gpu::{Block, Bound, DeviceBuffer, Gpu, Head, NEVER_FAILS, ShaderKey};

/// A pass that is not recorded yet. Its buffers have their names in shaders. An operation on two tensors has y in `index` and x in `src`.
#[derive(Clone, Copy)]
#[must_use = "`record` records it"]
pub(crate) struct Dispatch<'a> {
    gpu: &'a Gpu,
    key: ShaderKey,
    params: &'a [u8],
    rounds: usize,
    slot: u32,
    index: Option<&'a DeviceBuffer>,
    dst: Option<&'a DeviceBuffer>,
    src: Option<&'a DeviceBuffer>,
    scratch: Option<&'a DeviceBuffer>,
}

impl Gpu {
    /// A pass with its parameters. It has no buffer yet, looks at no status slot, and its threads run one round of a loop.
    pub(crate) fn pass<'a, B: Block>(&'a self, key: impl Into<ShaderKey>, params: &'a B) -> Dispatch<'a> {
        let key = key.into();
        debug_assert_eq!(key.pass.file().params, B::WGSL, "{key:?} has other parameters");
        let [index, dst, src, scratch] = [None; 4];
        let params = bytemuck::bytes_of(params);
        Dispatch { gpu: self, key, params, rounds: 1, slot: NEVER_FAILS, index, dst, src, scratch }
    }
}

/// Declares methods that give a pass a buffer, or none.
macro_rules! buffers {
    ($($name:ident)*) => {$(
        pub(crate) fn $name(mut self, buffer: impl Into<Option<&'a DeviceBuffer>>) -> Self {
            self.$name = buffer.into();
            self
        }
    )*};
}

impl<'a> Dispatch<'a> {
    buffers! { index dst src scratch }

    /// The pass writes nothing if this status slot has a fault.
    pub(crate) fn slot(self, slot: u32) -> Self {
        Self { slot, ..self }
    }

    /// The rounds of a loop that a thread runs on average.
    pub(crate) fn rounds(self, rounds: usize) -> Self {
        Self { rounds, ..self }
    }

    /// Records the pass, with that many threads. A pass that exceeds the work of one submission takes several dispatches.
    pub(crate) fn record(self, threads: usize) {
        self.record_with(Head { threads: threads as u32, ..Head::default() });
    }

    /// Records the pass, with that many whole workgroups.
    pub(crate) fn record_groups(self, groups: usize) {
        self.record(groups * self.gpu.workgroup());
    }

    /// Records both dispatches of a check by `shaders/lib/first_wrong.wgsl`, with a thread for each value.
    pub(crate) fn record_check(self, values: usize) {
        self.record(values);
        self.record_with(Head { threads: 1, is_report: 1, ..Head::default() });
    }

    fn record_with(self, head: Head) {
        let Self { gpu, key, params, rounds, slot, index, dst, src, scratch } = self;
        let head = Head { slot, ..head };
        let bytes = [index, dst, src, scratch].into_iter().flatten().map(|buffer| buffer.len() as u64).sum();
        let [index, raw_dst, src, scratch] =
            [index, dst, src, scratch].map(|buffer| buffer.map(DeviceBuffer::raw));
        let bound = Bound { index, dst: raw_dst, src, scratch, bytes };
        let batch = gpu.recorder.dispatch(key, head, params, rounds as u64, bound);
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
