//! What the host uploads with a batch: parameter blocks and small operands, gathered into one write.
//!
//! A queue write costs some microseconds whatever its size: a browser sends a message with a copy of the data to its GPU
//! process, a driver allocates a staging buffer. A call on host operands would make two or three of them.

use crate::backend::gpu::hooks::count;
use crate::backend::gpu::shaders::params::{BLOCK_ALIGNMENT, BLOCK_BYTES};

/// Bytes of parameter blocks in one submission at most: of 1,024 dispatches at least.
const PARAMS_BYTES: usize = 1024 * BLOCK_BYTES;
/// Bytes of gathered operands in one submission at most.
const OPERANDS_BYTES: usize = 1 << 20;
/// Bytes of the largest operand that is gathered. Larger ones are written to their buffer directly: gathering copies every byte twice
/// more, once on the host and once on the device, which from this size on takes about as long as a write of its own costs.
pub(crate) const MOST_GATHERED: usize = 64 << 10;

/// Everything that is written before the current batch runs.
pub(crate) struct Uploads {
    /// Holds the parameter blocks followed by the operands.
    buffer: wgpu::Buffer,
    params: Vec<u8>,
    operands: Vec<u8>,
    copies: Vec<OperandCopy>,
}

/// Where an operand goes: `len` bytes, from byte `from` of `operands` to byte `at` of a buffer.
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

    /// The buffer that parameters are bound from.
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.params.is_empty() && self.copies.is_empty()
    }

    /// Whether there is no room for another parameter block.
    pub(crate) fn lacks_room_for_block(&self) -> bool {
        self.params.len() + BLOCK_BYTES > PARAMS_BYTES
    }

    /// Whether there is no room for an operand of `len` bytes.
    pub(crate) fn lacks_room_for(&self, len: usize) -> bool {
        self.operands.len() + len.next_multiple_of(4) > OPERANDS_BYTES
    }

    /// Adds a parameter block. Returns its offset in bytes, to bind it by.
    pub(crate) fn push_params(&mut self, params: &[u8]) -> u32 {
        let offset = self.params.len();
        self.params.extend_from_slice(params);
        self.params.resize(self.params.len().next_multiple_of(BLOCK_ALIGNMENT), 0);
        offset as u32
    }

    /// Adds an operand, for byte `at` of a buffer that the batch has not used yet. Zeros fill up its last word, as copies move
    /// whole words.
    pub(crate) fn push_operand(&mut self, bytes: &[u8], to: &wgpu::Buffer, at: u64) {
        let from = self.operands.len();
        self.operands.extend_from_slice(bytes);
        self.operands.resize(self.operands.len().next_multiple_of(4), 0);
        self.copies.push(OperandCopy { from, to: to.clone(), at, len: self.operands.len() - from });
    }

    /// Writes what was gathered to the upload buffer, and returns the commands that copy operands from there to their own buffers; `None`
    /// if there are no operands. The caller submits them before the batch. Nothing is gathered any more then.
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
