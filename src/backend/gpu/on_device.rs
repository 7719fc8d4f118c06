//! A tensor's data in GPU memory.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::plan::IndexFacts;

/// Shared data in GPU memory, and what is known of its values where it may be an index. For data in host memory `HostBuffer` keeps this
/// itself.
#[derive(Clone)]
pub(crate) struct OnDevice {
    buffer: Rc<DeviceBuffer>,
    facts: Option<Rc<IndexFacts>>,
}

impl OnDevice {
    /// Data that nothing shares yet. `facts` is what was seen of its values when it was uploaded; `None` where nothing was looked at.
    pub(crate) fn new(buffer: DeviceBuffer, facts: Option<IndexFacts>) -> Self {
        Self { buffer: Rc::new(buffer), facts: facts.map(Rc::new) }
    }

    /// What is known of the values; `None` where they were not looked at, and once the data was lent for writing.
    pub(crate) fn facts(&self) -> Option<&IndexFacts> {
        self.facts.as_deref()
    }

    /// Whether another tensor or plan has the same data.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.buffer) > 1
    }

    /// The same bits as elements of another dtype. Nothing is known of these.
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

/// Lends the data for writing, which makes the facts void. Where it is shared, the one who writes puts a copy in its place first.
impl DerefMut for OnDevice {
    fn deref_mut(&mut self) -> &mut Rc<DeviceBuffer> {
        self.facts = None;
        &mut self.buffer
    }
}
