//! A tensor's data in GPU memory.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::engine::gpu::DeviceBuffer;
use crate::plan::ValueRanges;

/// Shared data in GPU memory, and the facts about its values for its use as an index. For data in host memory, `HostBuffer` keeps these
/// facts.
#[derive(Clone)]
pub(crate) struct OnDevice {
    buffer: Rc<DeviceBuffer>,
    facts: Option<Rc<ValueRanges>>,
}

impl OnDevice {
    /// New data with one owner. `facts` describe the values if they were examined at upload.
    pub(crate) fn new(buffer: DeviceBuffer, facts: Option<ValueRanges>) -> Self {
        Self { buffer: Rc::new(buffer), facts: facts.map(Rc::new) }
    }

    /// The facts about the values; `None` if they were not examined, or the data was borrowed for writing.
    pub(crate) fn facts(&self) -> Option<&ValueRanges> {
        self.facts.as_deref()
    }

    /// Whether another tensor or plan has the same data.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.buffer) > 1
    }

    /// The same data with the facts of other data, which has the same values.
    pub(crate) fn with_facts_of(&self, other: &Self) -> Self {
        Self { buffer: self.buffer.clone(), facts: other.facts.clone() }
    }

    /// The same bits as elements of another dtype. Nothing is known about these.
    pub(crate) fn reinterpreted(&self) -> Self {
        Self { buffer: self.buffer.clone(), facts: None }
    }
}

impl Deref for OnDevice {
    type Target = Rc<DeviceBuffer>;

    fn deref(&self) -> &Rc<DeviceBuffer> {
        &self.buffer
    }
}

/// Borrows the data for writing, so the facts no longer hold. If the data is shared, the writer first replaces it by a copy.
impl DerefMut for OnDevice {
    fn deref_mut(&mut self) -> &mut Rc<DeviceBuffer> {
        self.facts = None;
        &mut self.buffer
    }
}
