//! The host's uploads of a batch: parameter blocks and small operands, gathered into one write.
//!
//! A queue write costs some microseconds at any size: a browser sends a message with a copy of the data to its GPU process, and a
//! driver allocates a staging buffer. A call on host operands would need two or three writes.

use crate::engine::gpu::{BLOCK_ALIGNMENT, BLOCK_BYTES, count};

/// Most bytes of parameter blocks in one submission: room for at least 1,024 dispatches.
const PARAMS_BYTES: usize = 1024 * BLOCK_BYTES;
/// Most bytes of gathered operands in one submission.
const OPERANDS_BYTES: usize = 1 << 20;
/// Bytes of the largest gathered operand. Larger operands are written to their buffer directly: a gathered byte is copied twice more,
/// once on the host and once on the device. From this size on, the copies take about as long as a separate write.
pub(crate) const MOST_GATHERED: usize = 64 << 10;

pub(crate) struct Uploads {
    /// Holds the parameter blocks followed by the operands.
    pub(crate) buffer: wgpu::Buffer,
    params: Vec<u8>,
    operands: Vec<u8>,
    copies: Vec<OperandCopy>,
}

/// The target of an operand: `len` bytes, from byte `from` of `operands`, go to byte `at` of a buffer.
struct OperandCopy {
    from: usize,
    to: wgpu::Buffer,
    at: u64,
    len: usize,
}

impl Uploads {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("uploads"),
            size: (PARAMS_BYTES + OPERANDS_BYTES) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, params: Vec::new(), operands: Vec::new(), copies: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.params.is_empty() && self.copies.is_empty()
    }

    pub(crate) fn lacks_room_for_block(&self) -> bool {
        self.params.len() + BLOCK_BYTES > PARAMS_BYTES
    }

    pub(crate) fn lacks_room_for(&self, len: usize) -> bool {
        self.operands.len() + len.next_multiple_of(4) > OPERANDS_BYTES
    }

    /// Adds a block, in two parts. Returns its offset in bytes for the binding.
    pub(crate) fn push_block(&mut self, block: [&[u8]; 2]) -> u32 {
        let offset = self.params.len();
        block.iter().for_each(|part| self.params.extend_from_slice(part));
        self.params.resize(self.params.len().next_multiple_of(BLOCK_ALIGNMENT), 0);
        offset as u32
    }

    /// Adds an operand for byte `at` of a buffer that the batch has not used yet. Zeros pad its last word, because copies move whole
    /// words.
    pub(crate) fn push_operand(&mut self, bytes: &[u8], to: &wgpu::Buffer, at: u64) {
        let from = self.operands.len();
        self.operands.extend_from_slice(bytes);
        self.operands.resize(self.operands.len().next_multiple_of(4), 0);
        self.copies.push(OperandCopy { from, to: to.clone(), at, len: self.operands.len() - from });
    }

    /// Writes the gathered data to the upload buffer. Returns the commands that copy the operands from there to their own buffers;
    /// `None` without operands. The caller submits these commands before the batch. The lists are then empty.
    pub(crate) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Option<wgpu::CommandBuffer> {
        if self.is_empty() {
            return None;
        }
        let operands_start = self.params.len();
        self.params.append(&mut self.operands);
        queue.write_buffer(&self.buffer, 0, &self.params);
        count(|counts| {
            counts.writes += 1;
            counts.written += self.params.len() as u64;
        });
        self.params.clear();
        if self.copies.is_empty() {
            return None;
        }
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("uploads") };
        let mut encoder = device.create_command_encoder(&descriptor);
        for &OperandCopy { from, ref to, at, len } in &self.copies {
            let from = (operands_start + from) as u64;
            encoder.copy_buffer_to_buffer(&self.buffer, from, to, at, len as u64);
            count(|counts| {
                counts.copies += 1;
                // Each byte is read and written.
                counts.copied += 2 * len as u64;
            });
        }
        self.copies.clear();
        Some(encoder.finish())
    }
}
