//! Free buffers for reuse. A new buffer costs a message to the browser's GPU process and an allocation in the driver, and a loop needs
//! the same few sizes again and again.

/// Most buffers in a pool. With more, a search would take longer than a small allocation.
const KEPT_BUFFERS: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Recorded commands, which run in order: a buffer that the current batch has used fits too.
    Recorded,
    /// A queue write, which runs before the current batch.
    Written,
    /// A copy that the platform may refuse: only a new buffer certainly holds zeros then.
    #[cfg(target_arch = "wasm32")]
    Copied,
}

pub(crate) struct Pool {
    limit: u64,
    /// Buffers that no unsubmitted batch uses, oldest first.
    free: Vec<wgpu::Buffer>,
    /// Buffers that were freed while the current batch uses them.
    busy: Vec<wgpu::Buffer>,
}

impl Pool {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, free: Vec::new(), busy: Vec::new() }
    }

    /// The size class of `len` bytes: larger by at most a quarter or 16 bytes, so that similar sizes share buffers. It is a multiple of
    /// 16 bytes, and never 0.
    pub(crate) fn class(len: u64) -> u64 {
        let len = len.max(16);
        // A quarter of the largest power of two below `len`.
        let step = (len.next_power_of_two() >> 3).max(16);
        len.next_multiple_of(step)
    }

    /// The last freed buffer of exactly `class` bytes; `None` if the pool has no such buffer, or if the use needs a new one. The buffer
    /// still holds its last owner's data.
    pub(crate) fn take(&mut self, class: u64, wanted: Use) -> Option<wgpu::Buffer> {
        #[cfg(target_arch = "wasm32")]
        if wanted == Use::Copied {
            return None;
        }
        if wanted == Use::Recorded
            && let Some(at) = self.busy.iter().rposition(|buffer| buffer.size() == class)
        {
            return Some(self.busy.swap_remove(at));
        }
        let at = self.free.iter().rposition(|buffer| buffer.size() == class)?;
        Some(self.free.remove(at))
    }

    /// Takes a buffer back. `busy`: the current batch may use the buffer, so it fits only recorded commands until the batch is
    /// submitted.
    pub(crate) fn put(&mut self, buffer: wgpu::Buffer, busy: bool) {
        if busy {
            self.busy.push(buffer);
        } else {
            self.free.push(buffer);
            self.trim();
        }
    }

    /// Removes a buffer that the platform refused. Returns whether the pool had it.
    pub(crate) fn remove(&mut self, buffer: &wgpu::Buffer) -> bool {
        for buffers in [&mut self.free, &mut self.busy] {
            if let Some(at) = buffers.iter().position(|kept| kept == buffer) {
                buffers.remove(at);
                return true;
            }
        }
        false
    }

    pub(crate) fn submitted(&mut self) {
        self.free.append(&mut self.busy);
        self.trim();
    }

    /// Frees every buffer that the current batch does not use.
    pub(crate) fn clear(&mut self) {
        for buffer in &self.free {
            buffer.destroy();
        }
        self.free.clear();
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes(&self.free) + bytes(&self.busy)
    }

    /// Destroys free buffers beyond the limits of bytes and number, the oldest first. If they were only dropped, a page's garbage
    /// collector would keep their GPU memory while enough host memory is free.
    fn trim(&mut self) {
        let mut bytes = bytes(&self.free);
        while !self.free.is_empty() && (bytes > self.limit || self.free.len() > KEPT_BUFFERS) {
            let buffer = self.free.remove(0);
            bytes -= buffer.size();
            buffer.destroy();
        }
    }
}

fn bytes(buffers: &[wgpu::Buffer]) -> u64 {
    buffers.iter().map(wgpu::Buffer::size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_waste_a_quarter_at_most() {
        for len in (0..5000).chain([(1 << 20) + 1, 3 << 19, (1 << 27) + 1, u64::from(u32::MAX)]) {
            let class = Pool::class(len);
            assert!(class >= len && class.is_multiple_of(16) && class >= 16, "{len}: {class}");
            assert!(class <= (len + len / 4).max(len + 16), "{len}: {class}");
            assert_eq!(Pool::class(class), class, "{len}");
        }
        assert_eq!(
            [0, 1, 16, 17, 100, 128, 4_000_000].map(Pool::class),
            [16, 16, 16, 32, 112, 128, 4_194_304]
        );
    }
}
